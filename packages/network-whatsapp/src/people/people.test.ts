import { waitUntil } from '@kurir/network/conformance';
import type { Recipient } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';

const UNANSWERED = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 10_000,
};

/** Waits for the query by which the driver vouches for a new contact. It belongs to the first message. */
async function firstMessage(fixture: RelayFixture, send: Promise<unknown>, recipient: Recipient): Promise<void> {
  expect(await send).toEqual({ kind: 'sent' });
  await fixture.relay.journal.when(
    (entry) => entry.kind === 'query' && entry.query === 'privacy-tokens' && entry.about.includes(recipient.number),
  );
}

test(
  'a second message to a known recipient causes no query and uses no pre-key',
  withRelayFixture(async (fixture) => {
    const { session, receipts } = await fixture.online();
    const recipient = await fixture.person();
    await firstMessage(fixture, session.send(fixture.message(recipient.number)), recipient);
    await waitUntil('it was delivered', () => receipts.length > 0);
    const since = fixture.relay.journal.position;
    for (let i = 0; i < 5; i += 1) {
      expect(await session.send(fixture.message(recipient.number))).toEqual({ kind: 'sent' });
    }
    expect(fixture.relay.journal.counters({ from: SENDER, since })).toMatchObject({
      messages: 5,
      queries: 0,
      preKeyFetches: 0,
      oneTimePreKeysUsed: 0,
    });
  }),
);

test(
  'the first message of the next session causes no query and uses no pre-key either, as after a restart',
  withRelayFixture(async (fixture) => {
    const first = await fixture.online();
    const recipient = await fixture.person();
    await firstMessage(fixture, first.session.send(fixture.message(recipient.number)), recipient);
    await waitUntil('it was delivered', () => first.receipts.length > 0);
    await first.session.close();
    const { session } = await fixture.connected();
    const since = fixture.relay.journal.position;
    expect(await session.send(fixture.message(recipient.number))).toEqual({ kind: 'sent' });
    expect(fixture.relay.journal.counters({ from: SENDER, since })).toMatchObject({
      messages: 1,
      usyncQueries: 0,
      preKeyFetches: 0,
      oneTimePreKeysUsed: 0,
    });
  }),
);

test(
  'the first message to a recipient asks whether the number is known, for its devices and for their keys',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const recipient = await fixture.person();
    const since = fixture.relay.journal.position;
    await firstMessage(fixture, session.send(fixture.message(recipient.number)), recipient);
    const { usyncQueries, preKeyFetches } = fixture.relay.journal.counters({ from: SENDER, since });
    expect({ usyncQueries, preKeyFetches }).toEqual({ usyncQueries: 2, preKeyFetches: 1 });
  }),
);

test(
  'a query without an answer is no refusal: nothing is written, and the next try is sent',
  withRelayFixture(
    async (fixture) => {
      const { session } = await fixture.online();
      const message = fixture.message((await fixture.person()).number);
      for (const answered of [0, 1]) {
        fixture.relay.faults.clear();
        const silence = fixture.relay.faults.queries('usync', { kind: 'silence' }, { from: SENDER });
        const outcome = await session.send(message);
        expect({ answered, ...outcome }).toEqual({ answered, ...UNANSWERED });
        expect(silence.struck).toBe(1);
      }
      expect(fixture.relay.journal.counters({ from: SENDER }).messages).toBe(0);
      fixture.relay.faults.clear();
      expect(await session.send(message)).toEqual({ kind: 'sent' });
    },
    { queryTimeoutMs: 2_000 },
  ),
);

test(
  'a refused query is a temporary refusal, and too many queries are reported as such',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const message = fixture.message((await fixture.person()).number);
    fixture.relay.faults.queries('pre-key-fetch', { kind: 'refuse', error: 503, text: 'busy' }, { from: SENDER });
    expect(await session.send(message)).toMatchObject({ permanent: false, reason: 'temporarily_unavailable' });
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    fixture.relay.faults.queries('usync', { kind: 'refuse', error: 429, text: 'rate-overlimit' }, { from: SENDER });
    const [first, second] = [fixture.message('4915200000009'), fixture.message('4915200000008')];
    const since = fixture.relay.journal.position;
    for (const unknown of [first, second]) {
      expect(await session.send(unknown)).toMatchObject({ permanent: false, reason: 'rate_limited_by_network' });
    }
    expect(fixture.relay.journal.counters({ from: SENDER, since }).usyncQueries).toBe(1);
  }),
);

test(
  'a send whose connection ends during a query resolves at once as not sent',
  withRelayFixture(async (fixture) => {
    const { session, ends } = await fixture.online();
    fixture.relay.faults.queries('usync', { kind: 'reset' }, { from: SENDER });
    const running = [session.send(fixture.message('4915200000009')), session.send(fixture.message('4915200000008'))];
    for (const outcome of await Promise.all(running)) {
      expect(outcome).toMatchObject({ kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable' });
    }
    await waitUntil('the session ended', () => ends.length === 1);
  }),
);
