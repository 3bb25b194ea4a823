import { describe, expect, test } from 'vitest';
import type { SendOutcome } from '../../src/driver.js';
import type { DriverHarness } from './harness.js';
import { testWith, withNetworkFixture } from './network-fixture.js';
import { waitUntil } from './wait-until.js';

const LATE_MS = 1_000;
const NOT_CONNECTED = { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable' };

export function describeSending(harness: DriverHarness): void {
  describe('sending', () => {
    describeBrokenSends(harness);
    describeRefusals(harness);
    describeGoodSends(harness);
  });
}

function describeBrokenSends(harness: DriverHarness): void {
  for (const kind of ['reset-before-take', 'reset-after-take'] as const) {
    testWith(harness, kind)(
      `a send whose connection breaks (${kind}) is unknown; sent again under the same id, it is shown once`,
      withNetworkFixture(harness, async (fixture) => {
        const { device, session, ends } = await fixture.online();
        const message = fixture.message(fixture.network.freshNumber());
        await fixture.network.inject(device.deviceId, { kind });
        expect(await session.send(message)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
        await waitUntil('the session ended', () => ends.length === 1);
        expect(ends[0]).toEqual({ reason: 'connection_lost', next: 'reconnect' });

        const second = await fixture.connectAndWait(device);
        expect(await second.session.send(message)).toEqual({ kind: 'sent' });
        expect(await fixture.idsShown(message.recipient)).toEqual([message.networkMessageId]);
      }),
    );
  }

  testWith(harness, 'late-acknowledgement')(
    'a send without an answer is unknown at the timeout, and a late acknowledgement is reported',
    withNetworkFixture(
      harness,
      async (fixture) => {
        const { device, session, acknowledged, ends } = await fixture.online();
        const message = fixture.message(fixture.network.freshNumber());
        await fixture.network.inject(device.deviceId, { kind: 'late-acknowledgement', delayMs: LATE_MS });
        const startedAt = performance.now();
        expect(await session.send(message)).toEqual({ kind: 'unknown', reason: 'no_answer' });
        expect(performance.now() - startedAt).toBeLessThan(LATE_MS);
        expect(acknowledged).toEqual([]);
        await waitUntil('the late acknowledgement is reported', () => acknowledged.length === 1);
        expect(acknowledged).toEqual([{ networkMessageId: message.networkMessageId }]);
        expect(ends).toEqual([]);
      },
      { ackTimeoutMs: LATE_MS / 5 },
    ),
  );

  test(
    'a session that is not connected yet or any more refuses a send at once, but not permanently',
    withNetworkFixture(harness, async (fixture) => {
      const message = fixture.message(fixture.network.freshNumber());
      const { session, connections } = fixture.connect(await fixture.link());
      expect(await session.send(message)).toMatchObject(NOT_CONNECTED);
      await waitUntil('the session is connected', () => connections.length === 1);
      await session.close();
      expect(await session.send(message)).toMatchObject(NOT_CONNECTED);
      expect(await fixture.network.inbox(message.recipient)).toEqual([]);
    }),
  );
}

function describeRefusals(harness: DriverHarness): void {
  test(
    'a recipient without an account is refused permanently',
    withNetworkFixture(harness, async (fixture) => {
      const { session } = await fixture.online();
      expect(await session.send(fixture.message(fixture.network.numberNotOnNetwork))).toEqual({
        kind: 'not-sent',
        permanent: true,
        reason: 'recipient_not_on_network',
      });
    }),
  );

  testWith(harness, 'refuse-for-good')(
    'a message that the network refuses permanently is not sent and not shown',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session } = await fixture.online();
      const message = fixture.message(fixture.network.freshNumber());
      await fixture.network.inject(device.deviceId, { kind: 'refuse-for-good' });
      expect(await session.send(message)).toMatchObject({ kind: 'not-sent', permanent: true });
      expect(await fixture.network.inbox(message.recipient)).toEqual([]);
    }),
  );

  testWith(harness, 'refuse-for-now')(
    'a message that the network refuses temporarily has a time for the retry, and is then sent',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session } = await fixture.online();
      const message = fixture.message(fixture.network.freshNumber());
      await fixture.network.inject(device.deviceId, { kind: 'refuse-for-now', retryAfterMs: 1_500 });
      expect(await session.send(message)).toMatchObject({ kind: 'not-sent', permanent: false, retryAfterMs: 1_500 });
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      expect(await fixture.idsShown(message.recipient)).toEqual([message.networkMessageId]);
    }),
  );
}

function describeGoodSends(harness: DriverHarness): void {
  test(
    'the same id twice, one after the other and at once, is acknowledged every time and shown once',
    withNetworkFixture(harness, async (fixture) => {
      const { session } = await fixture.online();
      const message = fixture.message(fixture.network.freshNumber());
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      const atOnce = await Promise.all([session.send(message), session.send(message)]);
      expect(atOnce).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
      expect(await fixture.idsShown(message.recipient)).toEqual([message.networkMessageId]);
    }),
  );

  test(
    '200 sends at once are each answered once, and each phone shows its own in the order they were sent',
    withNetworkFixture(harness, async (fixture) => {
      const { session, acknowledged } = await fixture.online();
      const phones = Array.from({ length: 4 }, () => fixture.network.freshNumber());
      const messages = Array.from({ length: 50 }, (_, i) =>
        phones.map((phone) => fixture.message(phone, `${i}`)),
      ).flat();
      const answers: SendOutcome[] = [];
      await Promise.all(messages.map(async (message) => answers.push(await session.send(message))));
      expect(answers).toEqual(messages.map(() => ({ kind: 'sent' })));
      expect(acknowledged).toEqual([]);
      for (const phone of phones) {
        const sent = messages.filter((message) => message.recipient === phone);
        expect(await fixture.idsShown(phone)).toEqual(sent.map((message) => message.networkMessageId));
      }
    }),
  );

  test(
    'a message arrives with its text as it was written and the number of its sender',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session } = await fixture.online();
      const text = ' Kode Anda: 493021 — “jangan dibagikan” 🔐\n\u2028\t';
      const message = fixture.message(fixture.network.freshNumber(), text);
      await session.send(message);
      const { networkMessageId } = message;
      expect(await fixture.network.inbox(message.recipient)).toEqual([{ networkMessageId, from: device.phone, text }]);
    }),
  );

  test(
    'typing reaches the phone, and is refused when the session is not connected',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session } = await fixture.online();
      const phone = fixture.network.freshNumber();
      await session.typing(phone, 'start');
      await session.typing(phone, 'stop');
      await waitUntil('the phone saw both signals', async () => (await fixture.network.typing(phone)).length === 2);
      expect(await fixture.network.typing(phone)).toEqual([
        { from: device.phone, action: 'start' },
        { from: device.phone, action: 'stop' },
      ]);
      await session.close();
      await expect(session.typing(phone, 'start')).rejects.toThrow();
    }),
  );
}
