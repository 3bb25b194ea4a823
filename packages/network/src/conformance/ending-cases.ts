import { describe, expect, test } from 'vitest';
import type { DriverHarness } from './harness.js';
import { MemoryCredentials } from './memory-credentials.js';
import { countOpen, countOpenAtRest, SOCKETS_AND_TIMERS } from './open-resources.js';
import { onTestBed, testWith, type TestBed } from './test-bed.js';
import { waitUntil } from './wait-until.js';

export function describeEnding(harness: DriverHarness): void {
  describe('the end of a session', () => {
    describeForeignEnds(harness);
    describeOwnEnds(harness);
    describeCredentialTrouble(harness);
  });
}

function describeForeignEnds(harness: DriverHarness): void {
  test(
    'a second login ends the first session exactly once: replaced, check the lease',
    onTestBed(harness, async (bed) => {
      const { device, session, ends } = await bed.online();
      const second = await bed.connectAndWait(device);
      await waitUntil('the first session ended', () => ends.length > 0);
      await session.close();
      expect(ends).toEqual([{ reason: 'replaced', next: 'check-lease' }]);
      expect(await second.session.send(bed.message(bed.network.freshNumber()))).toEqual({ kind: 'sent' });
    }),
  );

  testWith(harness, 'late-acknowledgement')(
    'running sends are answered before the session ends, and nothing is reported after it',
    onTestBed(harness, async (bed) => {
      const log: string[] = [];
      const device = await bed.link();
      const { session, connections } = bed.connect(device, {
        acknowledged: async () => void log.push('acknowledged'),
        receipt: async () => void log.push('receipt'),
        ended: () => void log.push('ended'),
      });
      await waitUntil('the session is connected', () => connections.length === 1);
      const { deviceId } = device;
      await bed.network.inject(deviceId, { kind: 'late-acknowledgement', delayMs: 60_000 });
      const sending = session
        .send(bed.message(bed.network.freshNumber()))
        .then((outcome) => log.push(outcome.kind))
        .then(() => log.push('caller went on'));
      await bed.connectAndWait(device);
      await sending;
      await session.close();
      const withoutReceipts = log.filter((line) => line !== 'receipt');
      expect(withoutReceipts).toEqual(['unknown', 'caller went on', 'ended']);
      expect(log.at(-1)).toBe('ended');
    }),
  );

  testWith(harness, 'logout')(
    'a device that the phone unlinked must link again, now and when it reconnects',
    onTestBed(harness, async (bed) => {
      const { device, ends } = await bed.online();
      await bed.network.inject(device.deviceId, { kind: 'logout' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'logged_out', next: 'relink' }]);
      await expectEnd(bed, device, { reason: 'logged_out', next: 'relink' });
    }),
  );

  testWith(harness, 'ban')(
    'a banned account ends as banned, now and when it reconnects',
    onTestBed(harness, async (bed) => {
      const { device, ends } = await bed.online();
      await bed.network.inject(device.deviceId, { kind: 'ban' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'banned', next: 'banned' }]);
      await expectEnd(bed, device, { reason: 'banned', next: 'banned' });
    }),
  );

  testWith(harness, 'temporary-ban')(
    'a temporary ban says until when to wait',
    onTestBed(harness, async (bed) => {
      const { device, ends } = await bed.online();
      const until = new Date(Date.now() + 60_000);
      await bed.network.inject(device.deviceId, { kind: 'temporary-ban', until });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'temporarily_banned', next: 'wait', until }]);
    }),
  );

  testWith(harness, 'restart')(
    'a restart that the network asks for ends as reconnect, and reconnecting works',
    onTestBed(harness, async (bed) => {
      const { device, ends } = await bed.online();
      await bed.network.inject(device.deviceId, { kind: 'restart' });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'restart_required', next: 'reconnect' }]);
      await bed.connectAndWait(device);
    }),
  );

  test(
    'a network that is not there ends the session as unavailable, reconnect',
    onTestBed(harness, async (bed) => {
      const device = await bed.link();
      await bed.network.stop();
      await expectEnd(bed, device, { reason: 'network_unavailable', next: 'reconnect' });
    }),
  );
}

function describeOwnEnds(harness: DriverHarness): void {
  test(
    'logout unlinks the device at the phone, and the session ends as logged out',
    onTestBed(harness, async (bed) => {
      const { device, session, ends } = await bed.online();
      await Promise.all([session.logout(), session.logout()]);
      expect(await bed.network.linkedDevices(device.phone)).toEqual([]);
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toEqual([{ reason: 'logged_out', next: 'relink' }]);
    }),
  );

  test(
    'close is safe twice, before and after the connection, and resolves after the end',
    onTestBed(harness, async (bed) => {
      const device = await bed.link();
      const { session, ends, connections } = await bed.connectAndWait(device);
      await session.send(bed.message(bed.network.freshNumber()));
      await Promise.all([session.close(), session.close()]);
      expect(ends).toEqual([{ reason: 'closed_by_us', next: 'none' }]);
      await session.close();
      expect(connections).toHaveLength(1);

      const early = bed.connect(device);
      await early.session.close();
      expect(early.ends).toEqual([{ reason: 'closed_by_us', next: 'none' }]);
      expect(early.connections).toEqual([]);
    }),
  );

  test(
    'what was linked, connected, cancelled and closed leaves no socket and no timer open',
    onTestBed(harness, async (bed) => {
      const before = await countOpenAtRest(SOCKETS_AND_TIMERS);
      const { device, session } = await bed.online();
      await session.send(bed.message(bed.network.freshNumber()));
      await session.close();
      const early = bed.connect(device);
      await new Promise((resolve) => setImmediate(resolve));
      await early.session.close();
      const attempt = bed.network.driver.link({
        ...device,
        epoch: bed.nextEpoch(),
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
    onTestBed(harness, async (bed) => {
      const device = { ...(await bed.link()), credentials: new MemoryCredentials() };
      await expectEnd(bed, device, { reason: 'credentials_invalid', next: 'relink' });
    }),
  );

  test(
    'a store that refuses to be read ends the session: check the lease',
    onTestBed(harness, async (bed) => {
      const credentials = new MemoryCredentials();
      credentials.refuse();
      const { ends } = bed.connect({ ...(await bed.link()), credentials });
      await waitUntil('the session ended', () => ends.length === 1);
      expect(ends).toMatchObject([{ next: 'check-lease' }]);
    }),
  );
}

async function expectEnd(bed: TestBed, device: Parameters<TestBed['connect']>[0], end: object): Promise<void> {
  const { ends, connections } = bed.connect(device);
  await waitUntil('the session ended', () => ends.length > 0);
  expect(ends).toEqual([end]);
  expect(connections).toEqual([]);
}
