import { describe, expect, test } from 'vitest';
import type { DriverHarness } from './harness.js';
import { MemoryCredentials } from './memory-credentials.js';
import { type NetworkFixture, testWith, withNetworkFixture } from './network-fixture.js';
import { countOpen, countOpenAtRest, SOCKETS_AND_TIMERS } from './open-resources.js';
import { waitUntil } from './wait-until.js';

export function describeEnding(harness: DriverHarness): void {
  describe('the end of a session', () => {
    describeReplacement(harness);
    describeForeignEnds(harness);
    describeOwnEnds(harness);
    describeCredentialTrouble(harness);
  });
}

function describeReplacement(harness: DriverHarness): void {
  test(
    'a second login ends the first session exactly once: replaced, check the lease',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session, ends } = await fixture.online();
      const second = await fixture.connectAndWait(device);
      await waitUntil('the first session ended', () => ends.length > 0);
      await session.close();
      expect(ends).toEqual([{ reason: 'replaced', next: 'check-lease' }]);
      expect(await second.session.send(fixture.message(fixture.network.freshNumber()))).toEqual({ kind: 'sent' });
    }),
  );

  testWith(harness, 'late-acknowledgement')(
    'running sends resolve before the session ends, and nothing is reported after it',
    withNetworkFixture(harness, async (fixture) => {
      const log: string[] = [];
      const device = await fixture.link();
      const { session, connections } = fixture.connect(device, {
        acknowledged: async () => void log.push('acknowledged'),
        receipt: async () => void log.push('receipt'),
        ended: () => void log.push('ended'),
      });
      await waitUntil('the session is connected', () => connections.length === 1);
      const { deviceId } = device;
      await fixture.network.inject(deviceId, { kind: 'late-acknowledgement', delayMs: 60_000 });
      const sending = session
        .send(fixture.message(fixture.network.freshNumber()))
        .then((outcome) => log.push(outcome.kind))
        .then(() => log.push('caller went on'));
      await fixture.connectAndWait(device);
      await sending;
      await session.close();
      const withoutReceipts = log.filter((line) => line !== 'receipt');
      expect(withoutReceipts).toEqual(['unknown', 'caller went on', 'ended']);
      expect(log.at(-1)).toBe('ended');
    }),
  );
}

function describeForeignEnds(harness: DriverHarness): void {
  testWith(harness, 'logout')(
    'a device that the phone unlinked must link again, now and when it reconnects',
    withNetworkFixture(harness, async (fixture) => {
      const { device, ends } = await fixture.online();
      await fixture.network.inject(device.deviceId, { kind: 'logout' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'logged_out', next: 'relink' }]);
      await expectEnd(fixture, device, { reason: 'logged_out', next: 'relink' });
    }),
  );

  testWith(harness, 'ban')(
    'a banned account ends as banned, now and when it reconnects',
    withNetworkFixture(harness, async (fixture) => {
      const { device, ends } = await fixture.online();
      await fixture.network.inject(device.deviceId, { kind: 'ban' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'banned', next: 'banned' }]);
      await expectEnd(fixture, device, { reason: 'banned', next: 'banned' });
    }),
  );

  testWith(harness, 'temporary-ban')(
    'a temporary ban says until when to wait',
    withNetworkFixture(harness, async (fixture) => {
      const { device, ends } = await fixture.online();
      const until = new Date(Date.now() + 60_000);
      await fixture.network.inject(device.deviceId, { kind: 'temporary-ban', until });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'temporarily_banned', next: 'wait', until }]);
    }),
  );

  testWith(harness, 'restart')(
    'a restart that the network asks for ends as reconnect, and reconnecting works',
    withNetworkFixture(harness, async (fixture) => {
      const { device, ends } = await fixture.online();
      await fixture.network.inject(device.deviceId, { kind: 'restart' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'restart_required', next: 'reconnect' }]);
      await fixture.connectAndWait(device);
    }),
  );

  test(
    'a network that is not there ends the session as unavailable, reconnect',
    withNetworkFixture(harness, async (fixture) => {
      const device = await fixture.link();
      await fixture.network.stop();
      await expectEnd(fixture, device, { reason: 'network_unavailable', next: 'reconnect' });
    }),
  );
}

function describeOwnEnds(harness: DriverHarness): void {
  test(
    'no handler is called before connect has returned, also for a device that cannot connect',
    withNetworkFixture(harness, async (fixture) => {
      const linked = await fixture.link();
      const unknown = { ...linked, credentials: new MemoryCredentials() };
      for (const device of [linked, unknown]) {
        let hasReturned = false;
        const early: string[] = [];
        const note = (name: string) => void (hasReturned || early.push(name));
        const { session } = fixture.connect(device, { connected: () => note('connected'), ended: () => note('ended') });
        hasReturned = true;
        await session.close();
        expect(early).toEqual([]);
      }
    }),
  );

  test(
    'logout unlinks the device at the phone, and the session ends as logged out',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session, ends } = await fixture.online();
      await Promise.all([session.logout(), session.logout()]);
      expect(await fixture.network.linkedDevices(device.phone)).toEqual([]);
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'logged_out', next: 'relink' }]);
    }),
  );

  test(
    'close is safe twice, before and after the connection, and resolves after the end',
    withNetworkFixture(harness, async (fixture) => {
      const device = await fixture.link();
      const { session, ends, connections } = await fixture.connectAndWait(device);
      await session.send(fixture.message(fixture.network.freshNumber()));
      await Promise.all([session.close(), session.close()]);
      expect(ends).toEqual([{ reason: 'closed_by_us', next: 'none' }]);
      await session.close();
      expect(connections).toHaveLength(1);

      const early = fixture.connect(device);
      await early.session.close();
      expect(early.ends).toEqual([{ reason: 'closed_by_us', next: 'none' }]);
      expect(early.connections).toEqual([]);
    }),
  );

  test(
    'linking, connecting, cancelling and closing leave no socket and no timer open',
    withNetworkFixture(harness, async (fixture) => {
      const before = await countOpenAtRest(SOCKETS_AND_TIMERS);
      const { device, session } = await fixture.online();
      await session.send(fixture.message(fixture.network.freshNumber()));
      await session.close();
      const early = fixture.connect(device);
      await new Promise((resolve) => setImmediate(resolve));
      await early.session.close();
      const attempt = fixture.network.driver.link({
        ...device,
        epoch: fixture.nextEpoch(),
        method: 'qr',
        code: () => undefined,
      });
      attempt.cancel();
      await attempt.end;
      await waitUntil('everything is closed', () => countOpen(SOCKETS_AND_TIMERS) <= before);
    }),
  );
}

function describeCredentialTrouble(harness: DriverHarness): void {
  test(
    'a device without credentials must link',
    withNetworkFixture(harness, async (fixture) => {
      const device = { ...(await fixture.link()), credentials: new MemoryCredentials() };
      await expectEnd(fixture, device, { reason: 'credentials_invalid', next: 'relink' });
    }),
  );

  test(
    'a store that refuses to be read ends the session: check the lease',
    withNetworkFixture(harness, async (fixture) => {
      const credentials = new MemoryCredentials();
      credentials.refuse();
      const { ends } = fixture.connect({ ...(await fixture.link()), credentials });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toMatchObject([{ next: 'check-lease' }]);
    }),
  );
}

async function expectEnd(
  fixture: NetworkFixture,
  device: Parameters<NetworkFixture['connect']>[0],
  end: object,
): Promise<void> {
  const { ends, connections } = fixture.connect(device);
  await waitUntil('the session ended', () => ends.length > 0);
  expect(ends).toEqual([end]);
  expect(connections).toEqual([]);
}
