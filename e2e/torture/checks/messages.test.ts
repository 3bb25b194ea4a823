/** The findings about single messages. Each test has a message that the check must find and an innocent one. */
import { describe, expect, it } from 'vitest';
import type { Asked, Verdict } from '../records/client-record.js';
import { accepted, type Case, found, recordsOf, type Surroundings } from '../test/records-fixture.js';
import { compare } from './compare.js';

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
  ])('a message that %s is lost', (_, one) => {
    expect(found({ a: one })).toEqual(['lost']);
  });

  it.each<[string, Case, Surroundings?]>([
    [
      'is unknown after a fault of its device',
      { ...nowhere, row: { status: 'unknown' } },
      { troubles: new Map([['dev', [{ at: 100_000, what: 'swallow' }]]]) },
    ],
    [
      'failed for the reason that the network gave',
      { ...nowhere, row: { status: 'failed', reason: 'x' } },
      { refusals: new Map([['3EB0', new Set(['x'])]]) },
    ],
    ['expired after its time', { ...nowhere, row: { status: 'expired', expiresAt: 99_999 } }],
    ['was refused', { ...nowhere, row: null, verdict: { kind: 'refused', code: 'X', at: 1, unclearBefore: false } }],
  ])('a message that %s is not lost', (_, one, around) => {
    expect(found({ a: one }, around)).toEqual([]);
  });
});

it('a message that the phone shows under two ids is shown twice', () => {
  expect(found({ a: { shown: [{ n: 1 }, { n: 2, networkMessageId: '3EB1' }] } })).toEqual(['shown_twice']);
});

describe('out of order in a lane', () => {
  const first = { verdict: accepted({ at: 1_100, request: 'first' }) };
  const later = { askedAt: 1_200 };

  it('is a message that was answered first and shown last', () => {
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
    ['that is scheduled', { ...later, sendAt: 5_000 }],
  ])('is not a message %s', (_, more) => {
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

  it('is any frame of a cancelled message', () => {
    const cancelled = { asked: { sendAt: 5_000 }, cancelledAt: 1_150, row: { status: 'cancelled' } } as const;
    expect(found({ a: { ...cancelled, ...nowhere } })).toEqual([]);
    expect(found({ a: cancelled })).toContain('sent_after_expiry_or_cancellation');
  });
});

describe('states that contradict the network', () => {
  const refused: Verdict = { kind: 'refused', code: 'X', at: 1, unclearBefore: false };
  it.each<[string, Case]>([
    ['sent, and no phone has it', { ...nowhere, row: { status: 'sent' } }],
    ['only sent, and the phone has read it', { row: { status: 'sent' } }],
    ['stored for another account', { row: { accountId: 'other' } }],
    ['shown at another phone', { shown: [{ recipient: '62899' }] }],
    ['sent by another device', { shown: [{ deviceId: 'other' }] }],
    ['refused, and stored', { ...nowhere, verdict: refused, row: { status: 'read' } }],
    [
      'stored with an impossible move',
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
  ])('are found in a message that is %s', (_, one) => {
    expect(found({ a: one })).toContain('states_that_contradict_the_network');
  });

  it('are found in a message that nobody asked for', () => {
    const records = recordsOf({ a: {} });
    const { findings } = compare({ ...records, client: new Map() });
    expect(findings.map((finding) => finding.name)).toEqual(['states_that_contradict_the_network']);
  });

  it('are not found in a message that was refused after an unanswered try', () => {
    const verdict: Verdict = { kind: 'refused', code: 'X', at: 1, unclearBefore: true };
    expect(found({ a: { verdict } })).toEqual([]);
  });
});
