/** The findings about devices and accounts: sessions, quota, pace and new contacts. */
import { describe, expect, it } from 'vitest';
import type { Asked } from '../records/client-record.js';
import type { Row } from '../records/database-record.js';
import type { LeaseChange } from '../records/lease-log.js';
import type { Shown } from '../records/network-record.js';
import { accepted, type Case, found, recordsOf, type Surroundings } from '../test/records-fixture.js';
import { compare } from './compare.js';

describe('two live sockets', () => {
  const lease = { at: 1_000, owner: 'wrk_1', epoch: '3', expiresAt: 16_000 };
  const kick = { deviceId: 'dev', at: 5_000, epoch: '3', byEpoch: '4' };

  it.each<[string, LeaseChange, boolean]>([
    ['whose lease is live', lease, true],
    ['whose lease has run out', { ...lease, expiresAt: 4_999 }, false],
    ['whose lease was given back', { ...lease, owner: null }, false],
    ['whose lease another worker holds', { ...lease, epoch: '4' }, false],
  ])('a login that ends a session %s is a finding: %s', (_, change, isFinding) => {
    const around = { kicks: [kick], leases: new Map([['dev', [change]]]) };
    expect(found({ a: {} }, around)).toEqual(isFinding ? ['two_live_sockets_of_one_device'] : []);
  });
});

it('quota does not add up when a period took another number than its messages', () => {
  const records = recordsOf({ a: {} });
  const periods = [{ accountId: 'acc', taken: 2, owed: 1 }];
  const { findings } = compare({ ...records, database: { ...records.database, periods } });
  expect(findings.map((finding) => finding.name)).toEqual(['quota_that_does_not_add_up']);
});

describe('claims faster than the pace', () => {
  const paced = { limits: new Map([['dev', { pacePerMinute: 600, paceJitterMs: 10, newContactsPerDay: null }]]) };
  const claimedAt = (ref: string, priority: Asked['priority'], ...claims: number[]): Case => ({
    asked: { priority },
    verdict: accepted({ jobId: ref, request: ref }),
    row: {
      id: ref,
      moves: [
        ...claims.flatMap((at, i): Row['moves'] => [
          ...(i > 0 ? [{ status: 'queued' as const, at: at - 1 }] : []),
          { status: 'sending', at },
        ]),
        { status: 'read', at: 900_000 },
      ],
    },
  });

  it('are claims that follow the one before within the interval minus the jitter', () => {
    const first = claimedAt('a', 'bulk', 1_000);
    expect(found({ a: first, b: claimedAt('b', 'normal', 1_088) }, paced)).toEqual(['claims_faster_than_the_pace']);
    expect(found({ a: first, b: claimedAt('b', 'normal', 1_090) }, paced)).toEqual([]);
  });

  it('are also the claims of a message that waited again', () => {
    expect(found({ a: claimedAt('a', 'bulk', 1_000, 1_050) }, paced)).toEqual(['claims_faster_than_the_pace']);
  });

  it('are found even when a one-time code came between', () => {
    const [code, first] = [claimedAt('c', 'otp', 1_030), claimedAt('a', 'bulk', 1_000)];
    expect(found({ a: first, c: code, b: claimedAt('b', 'bulk', 1_060) }, paced)).toEqual([
      'claims_faster_than_the_pace',
    ]);
  });

  it.each<[string, Case, Surroundings]>([
    ['one-time codes', claimedAt('b', 'otp', 1_001), paced],
    ['claims of a device without a pace', claimedAt('b', 'bulk', 1_001), {}],
    [
      'claims of another device',
      { ...claimedAt('b', 'bulk', 1_001), row: { ...claimedAt('b', 'bulk', 1_001).row, deviceId: 'other' } },
      paced,
    ],
  ])('do not include %s', (_, b, around) => {
    expect(found({ a: claimedAt('a', 'bulk', 1_000), b }, around)).not.toContain('claims_faster_than_the_pace');
  });
});

describe('new contacts beyond the limit', () => {
  const dayMs = 86_400_000;
  const limited = { limits: new Map([['dev', { pacePerMinute: null, paceJitterMs: 0, newContactsPerDay: 2 }]]) };
  const to = (recipient: string, more: Partial<Shown> = {}): Case => ({
    asked: { recipient },
    row: { recipient },
    shown: [{ n: 5, recipient, ...more }],
  });

  it('are the people beyond the limit to whom the device wrote', () => {
    expect(found({ a: to('1'), b: to('2'), c: to('3') }, limited)).toEqual(['new_contacts_beyond_the_limit']);
  });

  it.each<[string, Record<string, Case>, Surroundings]>([
    ['the same people again', { a: to('1'), b: to('2'), c: to('1'), d: to('2') }, limited],
    ['new people a day later', { a: to('1'), b: to('2'), c: to('3', { n: 6, at: 1_200 + dayMs }) }, limited],
    [
      'people who wrote first',
      { a: to('1'), b: to('2'), c: to('3') },
      { ...limited, heard: new Map([['dev', [{ n: 4, from: '3' }]]]) },
    ],
    ['people of a device without a limit', { a: to('1'), b: to('2'), c: to('3') }, {}],
  ])('do not include %s', (_, cases, around) => {
    expect(found(cases, around)).toEqual([]);
  });

  it('are also people who wrote only after the device wrote to them', () => {
    const heard = new Map([['dev', [{ n: 6, from: '3' }]]]);
    expect(found({ a: to('1'), b: to('2'), c: to('3') }, { ...limited, heard })).toEqual([
      'new_contacts_beyond_the_limit',
    ]);
  });
});
