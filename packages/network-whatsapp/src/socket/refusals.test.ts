import type { NotSentReason, SendOutcome } from '@kurir/network';
import type { AcknowledgementError } from '@kurir/whatsapp-relay';
import { describe, expect, test } from 'vitest';
import { SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { outcomeOfRefusal, outcomeOfRefusedQuery } from './refusals.js';

const REJECTED: SendOutcome = { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' };
const ADDRESS_REFUSED: SendOutcome = { kind: 'not-sent', permanent: true, reason: 'recipient_address_refused' };
const BUSY: SendOutcome = later('temporarily_unavailable', 30_000);

const quiet = { debug: () => undefined, warn: () => undefined };
const FIRST = { staleBefore: false, restriction: null, wereBothRefused: false };

const ROWS: readonly (readonly [error: AcknowledgementError, outcome: SendOutcome])[] = [
  [400, REJECTED],
  [403, REJECTED],
  [404, { kind: 'not-sent', permanent: true, reason: 'recipient_unavailable' }],
  [429, later('rate_limited_by_network', 60_000)],
  [463, later('recipient_token_required', 3_600_000)],
  [475, REJECTED],
  [479, later('temporarily_unavailable', 1_000)],
  [500, BUSY],
  [503, BUSY],
];

function later(reason: NotSentReason, retryAfterMs: number): SendOutcome {
  return { kind: 'not-sent', permanent: false, reason, retryAfterMs };
}

describe('the outcome of a refusing acknowledgement', () => {
  for (const [error, outcome] of ROWS) {
    test(`${error}: ${JSON.stringify(outcome)}`, () => {
      expect(outcomeOfRefusal({ ...FIRST, error: String(error) })).toEqual(outcome);
    });
  }

  test('463 of a restricted account waits until the restriction ends, at least a second', () => {
    const restricted = (until: Date | null) =>
      outcomeOfRefusal({ ...FIRST, error: '463', restriction: { until } }, 1_000_000);
    expect(restricted(new Date(1_090_000))).toEqual(later('new_contacts_restricted', 90_000));
    expect(restricted(new Date(999_995))).toEqual(later('new_contacts_restricted', 1_000));
    expect(restricted(null)).toEqual(later('new_contacts_restricted', 3_600_000));
  });

  test('400 at both addresses is a refusal of the addresses', () => {
    expect(outcomeOfRefusal({ ...FIRST, error: '400', wereBothRefused: true })).toEqual(ADDRESS_REFUSED);
  });

  test('a second 479, after the devices were asked for again, is permanent', () => {
    expect(outcomeOfRefusal({ ...FIRST, error: '479', staleBefore: true })).toEqual(REJECTED);
  });

  test('an unknown 5xx is temporary, another unknown code is permanent', () => {
    const outcome = (error: string) => outcomeOfRefusal({ ...FIRST, error });
    expect(outcome('599')).toEqual(BUSY);
    expect(outcome('499')).toEqual(REJECTED);
  });

  test('a refused query is temporary, for each thrown value', () => {
    expect(outcomeOfRefusedQuery({ data: 429 }, quiet)).toEqual(later('rate_limited_by_network', 60_000));
    for (const error of [{ data: 500 }, new Error('x'), 1006, undefined, null]) {
      expect(outcomeOfRefusedQuery(error, quiet)).toEqual(BUSY);
    }
  });
});

describe('over the wire', () => {
  test(
    'each refusal resolves the send, and the next message is sent',
    withRelayFixture(async (fixture) => {
      const { session, ends } = await fixture.online();
      const { number } = await fixture.person();
      for (const [error, outcome] of ROWS) {
        const isOfAddress = error === 400 || error === 463;
        fixture.relay.faults.messages({ kind: 'refuse', error }, { from: SENDER, times: isOfAddress ? 2 : 1 });
        expect(await session.send(fixture.message(number))).toEqual(error === 400 ? ADDRESS_REFUSED : outcome);
        expect(await session.send(fixture.message(number))).toEqual({ kind: 'sent' });
      }
      expect(ends).toEqual([]);
    }),
  );

  test(
    '479 makes the next try ask for the devices again; a second 479 for the same message is permanent',
    withRelayFixture(async (fixture) => {
      const { session } = await fixture.online();
      const message = fixture.message((await fixture.person()).number);
      fixture.relay.faults.messages({ kind: 'refuse', error: 479 }, { from: SENDER, times: 2 });
      expect(await session.send(message)).toEqual(later('temporarily_unavailable', 1_000));
      const since = fixture.relay.journal.position;
      expect(await session.send(message)).toEqual(REJECTED);
      expect(fixture.relay.journal.counters({ from: SENDER, since }).usyncQueries).toBeGreaterThan(0);
    }),
  );
});
