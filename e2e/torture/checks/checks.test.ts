/** Each finding from records made by hand: what must be found is found, and its innocent neighbour is not. */
import type { MessageStatus } from '@kurir/contracts';
import { describe, expect, it } from 'vitest';
import type { Asked, Recorded, Verdict } from '../records/client-record.js';
import { compare } from './compare.js';
import type { DeviceLimits, Row } from '../records/database-record.js';
import type { FindingName } from './findings.js';
import type { LeaseChange } from '../records/lease-log.js';
import type { Heard, Kick, Shown, Trouble } from '../records/network-record.js';
import type { Records } from '../records/records.js';

type Case = {
  asked?: Partial<Asked>;
  verdict?: Verdict | null;
  cancelledAt?: number;
  row?: Partial<Row> | null;
  shown?: Partial<Shown>[];
};

const accepted = (more: Partial<Extract<Verdict, { kind: 'accepted' }>> = {}): Verdict => ({
  kind: 'accepted',
  jobId: 'msg_1',
  at: 1_100,
  request: 'r1',
  position: 0,
  ...more,
});

const asked = (ref: string, more: Partial<Asked> = {}): Asked => ({
  ref,
  account: 0,
  device: 0,
  recipient: '62813',
  priority: 'otp',
  ttlSeconds: null,
  sendAt: null,
  askedAt: 1_000,
  ...more,
});

const pathTo: Partial<Record<MessageStatus, MessageStatus[]>> = {
  sending: ['sending'],
  sent: ['sending', 'sent'],
  read: ['sending', 'sent', 'read'],
  failed: ['sending', 'failed'],
  unknown: ['sending', 'unknown'],
  expired: ['expired'],
  cancelled: ['cancelled'],
};

function rowOf(ref: string, more: Partial<Row> = {}): Row {
  const status = more.status ?? 'read';
  const moves = (pathTo[status] ?? []).map((to, i) => ({ status: to, at: 100_000 + i }));
  const ids = { id: 'msg_1', ref, accountId: 'acc', deviceId: 'dev', networkMessageId: '3EB0' };
  return { ...ids, recipient: '62813', status, reason: null, expiresAt: null, unanswered: 0, moves, ...more };
}

const shownOf = (more: Partial<Shown>): Shown => ({
  n: 1,
  at: 1_200,
  deviceId: 'dev',
  recipient: '62813',
  networkMessageId: '3EB0',
  ...more,
});

type Surroundings = {
  refusals?: Map<string, Set<string>>;
  troubles?: Map<string, Trouble[]>;
  kicks?: Kick[];
  leases?: Map<string, LeaseChange[]>;
  heard?: Map<string, Heard[]>;
  limits?: Map<string, DeviceLimits>;
};

function recordsOf(cases: Record<string, Case>, around: Surroundings = {}): Records {
  const client = new Map<string, Recorded>();
  const rows: Row[] = [];
  const shown = new Map<string, Shown[]>();
  for (const [ref, one] of Object.entries(cases)) {
    const verdict = one.verdict === undefined ? accepted({ request: ref }) : one.verdict;
    client.set(ref, { asked: asked(ref, one.asked), verdict, cancelledAt: one.cancelledAt ?? null });
    if (one.row !== null) rows.push(rowOf(ref, one.row));
    const frames = one.shown ?? [{}];
    if (frames.length > 0) shown.set(ref, frames.map(shownOf));
  }
  const { refusals = new Map(), troubles = new Map(), kicks = [], leases = new Map() } = around;
  const { heard = new Map(), limits = new Map() } = around;
  return {
    client,
    database: { rows, periods: [], leases, limits },
    network: { shown, foreign: 0, repeatsDropped: 0, refusals, troubles, kicks, heard },
    accountIds: ['acc'],
    deviceIds: [['dev']],
  };
}

function found(cases: Record<string, Case>, around?: Surroundings): FindingName[] {
  return [...new Set(compare(recordsOf(cases, around)).findings.map((finding) => finding.name))];
}

const nowhere = { shown: [] };

it('a message that was accepted, stored, shown and read is no finding', () => {
  expect(found({ a: {} })).toEqual([]);
});

describe('lost', () => {
  it.each<[string, Case]>([
    ['never got a verdict', { verdict: null }],
    ['was accepted and is not stored', { ...nowhere, row: null }],
    ['was accepted under another id than it is stored', { verdict: accepted({ jobId: 'msg_2' }) }],
    ['still waits when all should be final', { ...nowhere, row: { status: 'queued' } }],
    ['is still being sent when all should be final', { ...nowhere, row: { status: 'sending' } }],
    ['is unknown though nothing touched it', { ...nowhere, row: { status: 'unknown' } }],
    ['failed for a reason that the network never gave', { ...nowhere, row: { status: 'failed', reason: 'x' } }],
    ['expired before its time', { ...nowhere, row: { status: 'expired', expiresAt: 100_001 } }],
    ['was cancelled though nobody asked for that', { ...nowhere, row: { status: 'cancelled' } }],
  ])('is what %s', (_, one) => {
    expect(found({ a: one })).toEqual(['lost']);
  });

  it.each<[string, Case, Surroundings?]>([
    [
      'is unknown after a fault of its device',
      { ...nowhere, row: { status: 'unknown' } },
      { troubles: new Map([['dev', [{ at: 100_000, what: 'swallow' }]]]) },
    ],
    [
      'failed as the network had said',
      { ...nowhere, row: { status: 'failed', reason: 'x' } },
      { refusals: new Map([['3EB0', new Set(['x'])]]) },
    ],
    ['expired after its time', { ...nowhere, row: { status: 'expired', expiresAt: 99_999 } }],
    ['was refused', { ...nowhere, row: null, verdict: { kind: 'refused', code: 'X', at: 1, unclearBefore: false } }],
  ])('is not what %s', (_, one, around) => {
    expect(found({ a: one }, around)).toEqual([]);
  });
});

it('shown twice is what the phone shows under two ids', () => {
  expect(found({ a: { shown: [{ n: 1 }, { n: 2, networkMessageId: '3EB1' }] } })).toEqual(['shown_twice']);
});

describe('out of order in a lane', () => {
  const first = { verdict: accepted({ at: 1_100, request: 'first' }) };
  const later = { askedAt: 1_200 };

  it('is what was answered first and shown last', () => {
    expect(found({ a: { ...first, shown: [{ n: 5 }] }, b: { asked: later, shown: [{ n: 4 }] } })).toEqual([
      'out_of_order_in_a_lane',
    ]);
  });

  it('is a bulk that arrives in another order', () => {
    const at = (position: number, n: number): Case => ({
      verdict: accepted({ request: 'bulk', position }),
      shown: [{ n }],
    });
    expect(found({ a: at(0, 1), b: at(1, 3), c: at(2, 2) })).toEqual(['out_of_order_in_a_lane']);
    expect(found({ a: at(0, 1), b: at(1, 2), c: at(2, 3) })).toEqual([]);
  });

  it.each<[string, Partial<Asked>]>([
    ['asked for before the other was answered', { askedAt: 1_050 }],
    ['for another recipient', { ...later, recipient: '62814' }],
    ['of another priority', { ...later, priority: 'bulk' }],
    ['scheduled', { ...later, sendAt: 5_000 }],
  ])('is not what was %s', (_, more) => {
    const { recipient = '62813' } = more;
    const b = { asked: more, row: { recipient }, shown: [{ n: 4, recipient }] };
    expect(found({ a: { ...first, shown: [{ n: 5 }] }, b })).toEqual([]);
  });
});

describe('sent after expiry or cancellation', () => {
  it('is a frame more than two seconds late', () => {
    expect(found({ a: { row: { expiresAt: 10_000 }, shown: [{ at: 12_001 }] } })).toEqual([
      'sent_after_expiry_or_cancellation',
    ]);
    expect(found({ a: { row: { expiresAt: 10_000 }, shown: [{ at: 12_000 }] } })).toEqual([]);
  });

  it('is any frame of what was cancelled', () => {
    const cancelled = { asked: { sendAt: 5_000 }, cancelledAt: 1_150, row: { status: 'cancelled' } } as const;
    expect(found({ a: { ...cancelled, ...nowhere } })).toEqual([]);
    expect(found({ a: cancelled })).toContain('sent_after_expiry_or_cancellation');
  });
});

describe('two live sockets', () => {
  const lease = { at: 1_000, owner: 'wrk_1', epoch: '3', expiresAt: 16_000 };
  const kick = { deviceId: 'dev', at: 5_000, epoch: '3', byEpoch: '4' };

  it.each<[string, LeaseChange, boolean]>([
    ['whose lease is live', lease, true],
    ['whose lease has run out', { ...lease, expiresAt: 4_999 }, false],
    ['whose lease was given back', { ...lease, owner: null }, false],
    ['whose lease is another holder’s by now', { ...lease, epoch: '4' }, false],
  ])('a login that ends a session %s: %s', (_, change, isFinding) => {
    const around = { kicks: [kick], leases: new Map([['dev', [change]]]) };
    expect(found({ a: {} }, around)).toEqual(isFinding ? ['two_live_sockets_of_one_device'] : []);
  });
});

it('quota does not add up when a period took something else than its messages say', () => {
  const records = recordsOf({ a: {} });
  const periods = [{ accountId: 'acc', taken: 2, owed: 1 }];
  const { findings } = compare({ ...records, database: { ...records.database, periods } });
  expect(findings.map((finding) => finding.name)).toEqual(['quota_that_does_not_add_up']);
});

describe('states that contradict the network', () => {
  const refused: Verdict = { kind: 'refused', code: 'X', at: 1, unclearBefore: false };
  it.each<[string, Case]>([
    ['sent, and no phone has it', { ...nowhere, row: { status: 'sent' } }],
    ['only sent, and the phone has read it', { row: { status: 'sent' } }],
    ['stored for another account', { row: { accountId: 'other' } }],
    ['at another phone', { shown: [{ recipient: '62899' }] }],
    ['sent by another device', { shown: [{ deviceId: 'other' }] }],
    ['refused, and stored', { ...nowhere, verdict: refused, row: { status: 'read' } }],
    [
      'moved where no move leads',
      {
        row: {
          status: 'sent',
          moves: [
            { status: 'delivered', at: 1 },
            { status: 'sent', at: 2 },
          ],
        },
      },
    ],
  ])('are those of a message that is %s', (_, one) => {
    expect(found({ a: one })).toContain('states_that_contradict_the_network');
  });

  it('are those of a message that nobody asked for', () => {
    const records = recordsOf({ a: {} });
    const { findings } = compare({ ...records, client: new Map() });
    expect(findings.map((finding) => finding.name)).toEqual(['states_that_contradict_the_network']);
  });

  it('are not those of a message that was refused after a try that was never answered', () => {
    const verdict: Verdict = { kind: 'refused', code: 'X', at: 1, unclearBefore: true };
    expect(found({ a: { verdict } })).toEqual([]);
  });
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

  it('are those that come less than one interval, less the jitter, after the one before', () => {
    const first = claimedAt('a', 'bulk', 1_000);
    expect(found({ a: first, b: claimedAt('b', 'normal', 1_088) }, paced)).toEqual(['claims_faster_than_the_pace']);
    expect(found({ a: first, b: claimedAt('b', 'normal', 1_090) }, paced)).toEqual([]);
  });

  it('are those of a message that waited again, too', () => {
    expect(found({ a: claimedAt('a', 'bulk', 1_000, 1_050) }, paced)).toEqual(['claims_faster_than_the_pace']);
  });

  it('are found among the messages of other priorities when a code came between', () => {
    const [code, first] = [claimedAt('c', 'otp', 1_030), claimedAt('a', 'bulk', 1_000)];
    expect(found({ a: first, c: code, b: claimedAt('b', 'bulk', 1_060) }, paced)).toEqual([
      'claims_faster_than_the_pace',
    ]);
  });

  it.each<[string, Case, Surroundings]>([
    ['codes', claimedAt('b', 'otp', 1_001), paced],
    ['those of a device without a pace', claimedAt('b', 'bulk', 1_001), {}],
    [
      'those of another device',
      { ...claimedAt('b', 'bulk', 1_001), row: { ...claimedAt('b', 'bulk', 1_001).row, deviceId: 'other' } },
      paced,
    ],
  ])('are not %s', (_, b, around) => {
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

  it('are people beyond the number whom the phone shows as written to', () => {
    expect(found({ a: to('1'), b: to('2'), c: to('3') }, limited)).toEqual(['new_contacts_beyond_the_limit']);
  });

  it.each<[string, Record<string, Case>, Surroundings]>([
    ['the same people again', { a: to('1'), b: to('2'), c: to('1'), d: to('2') }, limited],
    ['a day later', { a: to('1'), b: to('2'), c: to('3', { n: 6, at: 1_200 + dayMs }) }, limited],
    [
      'people who wrote first',
      { a: to('1'), b: to('2'), c: to('3') },
      { ...limited, heard: new Map([['dev', [{ n: 4, from: '3' }]]]) },
    ],
    ['people of a device without a limit', { a: to('1'), b: to('2'), c: to('3') }, {}],
  ])('are not %s', (_, cases, around) => {
    expect(found(cases, around)).toEqual([]);
  });

  it('are people who answered only after they were written to, too', () => {
    const heard = new Map([['dev', [{ n: 6, from: '3' }]]]);
    expect(found({ a: to('1'), b: to('2'), c: to('3') }, { ...limited, heard })).toEqual([
      'new_contacts_beyond_the_limit',
    ]);
  });
});
