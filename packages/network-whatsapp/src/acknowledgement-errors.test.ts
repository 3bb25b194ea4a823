import type { SendOutcome } from '@kurir/network';
import type { AcknowledgementError } from '@kurir/whatsapp-relay';
import { describe, expect, test } from 'vitest';
import { outcomeOfRefusal, outcomeOfRefusedQuery } from './acknowledgement-errors.js';
import { onTestBed, SENDER } from './testing/test-bed.js';

const REJECTED: SendOutcome = { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' };
const BUSY: SendOutcome = later('temporarily_unavailable', 30_000);

const ROWS: readonly (readonly [error: AcknowledgementError, outcome: SendOutcome])[] = [
  [400, REJECTED],
  [403, REJECTED],
  [404, { kind: 'not-sent', permanent: true, reason: 'recipient_unavailable' }],
  [429, later('rate_limited_by_network', 60_000)],
  [463, later('new_contacts_restricted', 3_600_000)],
  [475, REJECTED],
  [479, later('temporarily_unavailable', 1_000)],
  [500, BUSY],
  [503, BUSY],
];

function later(
  reason: 'rate_limited_by_network' | 'new_contacts_restricted' | 'temporarily_unavailable',
  retryAfterMs: number,
): SendOutcome {
  return { kind: 'not-sent', permanent: false, reason, retryAfterMs };
}

describe('what a refused acknowledgement means', () => {
  for (const [error, outcome] of ROWS) {
    test(`${error}: ${JSON.stringify(outcome)}`, () => {
      expect(outcomeOfRefusal({ error: String(error), staleBefore: false, restrictedUntil: null })).toEqual(outcome);
    });
  }

  test('463 with a known end waits until then, and not less than a second', () => {
    const restricted = (ms: number) =>
      outcomeOfRefusal({ error: '463', staleBefore: false, restrictedUntil: new Date(1_000_000 + ms) }, 1_000_000);
    expect(restricted(90_000)).toEqual(later('new_contacts_restricted', 90_000));
    expect(restricted(-5)).toEqual(later('new_contacts_restricted', 1_000));
  });

  test('479 again, after the devices were asked for anew, is for good', () => {
    expect(outcomeOfRefusal({ error: '479', staleBefore: true, restrictedUntil: null })).toEqual(REJECTED);
  });

  test('codes that nobody knows: 5xx is for now, the rest for good', () => {
    const outcome = (error: string) => outcomeOfRefusal({ error, staleBefore: false, restrictedUntil: null });
    expect(outcome('599')).toEqual(BUSY);
    expect(outcome('499')).toEqual(REJECTED);
  });

  test('a refused question is for now, whatever was thrown', () => {
    expect(outcomeOfRefusedQuery({ data: 429 })).toEqual(later('rate_limited_by_network', 60_000));
    for (const error of [{ data: 500 }, new Error('x'), 1006, undefined, null]) {
      expect(outcomeOfRefusedQuery(error)).toEqual(BUSY);
    }
  });
});

describe('over the wire', () => {
  test(
    'each refusal answers the send, and the next message goes out',
    onTestBed(async (bed) => {
      const { session, ends } = await bed.online();
      const { number } = await bed.person();
      for (const [error, outcome] of ROWS) {
        bed.relay.faults.messages({ kind: 'refuse', error }, { from: SENDER });
        expect(await session.send(bed.message(number))).toEqual(outcome);
        expect(await session.send(bed.message(number))).toEqual({ kind: 'sent' });
      }
      expect(ends).toEqual([]);
    }),
  );

  test(
    '479 makes the next try ask for the devices anew; a second 479 for the same message is for good',
    onTestBed(async (bed) => {
      const { session } = await bed.online();
      const message = bed.message((await bed.person()).number);
      bed.relay.faults.messages({ kind: 'refuse', error: 479 }, { from: SENDER, times: 2 });
      expect(await session.send(message)).toEqual(later('temporarily_unavailable', 1_000));
      const since = bed.relay.journal.position;
      expect(await session.send(message)).toEqual(REJECTED);
      expect(bed.relay.journal.counters({ from: SENDER, since }).usyncQueries).toBeGreaterThan(0);
    }),
  );
});
