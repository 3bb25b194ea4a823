import type { Driver, Session } from '@kurir/network';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { createRelay, type Relay } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { createWhatsappDriver } from './whatsapp-driver.js';

const SESSIONS = 50;
/** As the worker does: a first login makes 812 keys. */
const AT_A_TIME = 5;

/** Printed, not judged: the machine decides. The relay's half of each connection is in it. */
test('fifty idle sessions of one process', { timeout: 60_000 }, async () => {
  const relay = await createRelay();
  const driver = createDriver(relay);
  const devices: MemoryCredentials[] = [];
  for (let i = 0; i < SESSIONS; i += 1) devices.push(await link(relay, driver, String(4915100000001 + i)));
  const before = process.memoryUsage();
  const startedAt = performance.now();
  const sessions: Session[] = [];
  for (let i = 0; i < SESSIONS; i += AT_A_TIME) {
    sessions.push(...(await Promise.all(devices.slice(i, i + AT_A_TIME).map((device) => connect(driver, device)))));
  }
  const ms = Math.round(performance.now() - startedAt);
  const after = process.memoryUsage();
  const mb = (bytes: number): string => (bytes / SESSIONS / 1e6).toFixed(2);
  console.log(
    `${SESSIONS} first logins in ${ms} ms; per session, the relay's half included: ` +
      `${mb(after.rss - before.rss)} MB resident, ${mb(after.heapUsed - before.heapUsed)} MB heap`,
  );
  await Promise.all(sessions.map((session) => session.close()));
  await relay.close();
});

async function connect(driver: Driver, credentials: MemoryCredentials): Promise<Session> {
  let connected = false;
  const session = driver.connect({
    deviceId: 'dev_1',
    epoch: 2n,
    credentials,
    events: {
      connected: () => void (connected = true),
      acknowledged: async () => undefined,
      receipt: async () => undefined,
      inbound: async () => undefined,
      ended: () => undefined,
    },
  });
  await waitUntil('the session is connected', () => connected);
  return session;
}

function createDriver(relay: Relay): Driver {
  const log = { debug: () => undefined, warn: () => undefined };
  const { url: webSocketUrl, rootPublicKey: noiseRootKey } = relay;
  return createWhatsappDriver({ webSocketUrl, noiseRootKey, ackTimeoutMs: 5_000, queryTimeoutMs: 20_000, log });
}

async function link(relay: Relay, driver: Driver, number: string): Promise<MemoryCredentials> {
  const credentials = new MemoryCredentials();
  const phone = await relay.createPhone(number);
  const code = (qr: string): void => void phone.scan(qr);
  const { end } = driver.link({ deviceId: number, epoch: 1n, credentials, method: 'qr', code });
  expect(await end).toMatchObject({ kind: 'linked' });
  return credentials;
}
