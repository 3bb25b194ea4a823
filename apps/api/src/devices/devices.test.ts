import { type DeviceId, publicOperations, limits } from '@kurir/contracts';
import { createDevice, revokeApiKey, writeUnlinked } from '@kurir/database';
import { type PresenceHandler, servePresence, serveWakeUps } from '@kurir/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, holder } from '../../test/customer-fixture.js';
import { type CallOptions, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let presence: PresenceHandler = () => Promise.resolve('taken');
let onWakeUp: (deviceId: DeviceId) => Promise<unknown> = () => Promise.resolve();
/** The running work of the fake worker. It must end before the database is dropped. */
const wokenUp: Promise<unknown>[] = [];

const noError = (error: unknown) => {
  throw error;
};

beforeAll(async () => {
  t = await startTestApi();
  // Serves typing signals and wake-ups as a worker does.
  await servePresence(t.queue, holder, (asked) => presence(asked), noError);
  await serveWakeUps(t.queue, (deviceId) => void wokenUp.push(onWakeUp(deviceId)));
});
afterAll(async () => {
  await Promise.all(wokenUp);
  await t.close();
});

const typing: CallOptions = { body: { action: 'start', phone_destination: '6281234567890' } };

test('a typing signal reaches the worker that holds the device, and costs no quota', async () => {
  const customer = await createCustomer(t.database, { quota: 1 });
  const taken: unknown[] = [];
  presence = (asked) => {
    taken.push(asked);
    return Promise.resolve('taken');
  };
  const answer = await call(t.url, customer, 'chatPresence', typing);
  expect([answer.status, answer.body.data]).toEqual([200, {}]);
  await call(t.url, customer, 'chatPresence', { body: { action: 'stop', phone_destination: '6281234567890' } });
  expect(taken).toEqual([
    { deviceId: customer.deviceId, recipient: '6281234567890', action: 'start' },
    { deviceId: customer.deviceId, recipient: '6281234567890', action: 'stop' },
  ]);
  expect((await call(t.url, customer, 'accountInfo')).body.data['remaining_quota']).toBe('1');
});

test('a typing signal is refused if the database or the worker says that the device is not connected', async () => {
  const customer = await createCustomer(t.database);
  presence = () => Promise.resolve('not-connected');
  expect((await call(t.url, customer, 'chatPresence', typing)).body.code).toBe('DEVICE_NOT_CONNECTED');
  await t.database.pool.query('UPDATE device_leases SET expires_at = now() WHERE device_id = $1', [customer.deviceId]);
  expect((await call(t.url, customer, 'chatPresence', typing)).body.code).toBe('DEVICE_NOT_CONNECTED');
});

test('a typing signal that no worker confirms fails after the timeout', async () => {
  const customer = await createCustomer(t.database);
  presence = () => new Promise(() => {});
  const since = performance.now();
  const answer = await call(t.url, customer, 'chatPresence', typing);
  expect([answer.status, answer.body.code]).toEqual([504, 'DEVICE_TIMEOUT']);
  const tookMs = performance.now() - since;
  expect(tookMs).toBeGreaterThan(limits.presenceTimeoutMs - 50);
  // The limit is wide, because the machine may be busy.
  expect(tookMs).toBeLessThan(limits.presenceTimeoutMs + 10_000);
});

test('a connected device shows its state, and shows connecting after its lease has expired', async () => {
  const customer = await createCustomer(t.database);
  const { body } = await call(t.url, customer, 'deviceInfo');
  expect(publicOperations.deviceInfo.data.parse(body.data)).toMatchObject({
    device_id: customer.deviceId,
    state: 'connected',
  });
  await t.database.pool.query('UPDATE device_leases SET expires_at = now() WHERE device_id = $1', [customer.deviceId]);
  expect((await call(t.url, customer, 'deviceInfo')).body.data['state']).toBe('connecting');
});

test('disconnecting waits until the device is unlinked', async () => {
  const customer = await createCustomer(t.database);
  onWakeUp = async (deviceId) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await writeUnlinked(t.database, { deviceId, owner: holder, epoch: 1n }, 'disconnected', null);
  };
  const answer = await call(t.url, customer, 'disconnectDevice');
  expect([answer.status, answer.body.data]).toEqual([200, { device_id: customer.deviceId }]);
  expect((await call(t.url, customer, 'deviceInfo')).body.data['state']).toBe('disconnected');
  const again = await call(t.url, customer, 'disconnectDevice');
  expect([again.status, again.body.code]).toEqual([409, 'DEVICE_NOT_LINKED']);
});

test('a request that waits ends when its key is revoked', async () => {
  const customer = await createCustomer(t.database);
  const woken = new Promise<void>((resolve) => {
    onWakeUp = () => Promise.resolve(resolve());
  });
  const asked = call(t.url, customer, 'disconnectDevice');
  await woken;
  expect(await revokeApiKey(t.database, customer.accountId, customer.key.id)).toBe(true);
  // Without the revocation, it would wait for twice as long and get DEVICE_TIMEOUT.
  expect((await asked).body.code).toBe('INVALID_API_KEY');
});

test('ten parallel requests to disconnect all succeed', async () => {
  const customer = await createCustomer(t.database);
  let asked = 0;
  onWakeUp = async (deviceId) => {
    asked += 1;
    if (asked === 10) await writeUnlinked(t.database, { deviceId, owner: holder, epoch: 1n }, 'disconnected', null);
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(t.url, customer, 'disconnectDevice')));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
});

test('a device that was never linked can be read, but not disconnected', async () => {
  const customer = await createCustomer(t.database);
  const wanted = { accountId: customer.accountId, name: 'new', network: 'simulator', pacePerMinute: null } as const;
  const deviceId = await createDevice(t.database, wanted);
  expect((await call(t.url, customer, 'deviceInfo', { deviceId })).body.data['state']).toBe('disconnected');
  expect((await call(t.url, customer, 'disconnectDevice', { deviceId })).body.code).toBe('DEVICE_NOT_LINKED');
});

test('an unknown action or an unknown field is refused, and the error names it', async () => {
  const customer = await createCustomer(t.database);
  for (const [field, body] of [
    ['action', { action: 'pause', phone_destination: '6281234567890' }],
    ['action', { phone_destination: '6281234567890' }],
    ['"message"', { action: 'start', phone_destination: '6281234567890', message: 'x' }],
  ] as const) {
    const answer = await call(t.url, customer, 'chatPresence', { body });
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining(field) });
  }
});
