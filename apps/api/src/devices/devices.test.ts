import { type DeviceId, endpoints, limits } from '@kurir/contracts';
import { createDevice, writeUnlinked } from '@kurir/database';
import { type PresenceHandler, servePresence, serveWakeUps } from '@kurir/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, holder } from '../../test/customer.js';
import { type CallOptions, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let presence: PresenceHandler = () => Promise.resolve('taken');
let onWakeUp: (deviceId: DeviceId) => Promise<unknown> = () => Promise.resolve();
/** What the pretend worker still does: it must not outlive its database. */
const wokenUp: Promise<unknown>[] = [];

const noError = (error: unknown) => {
  throw error;
};

beforeAll(async () => {
  t = await startTestApi();
  // What a worker does for the devices that it holds, as far as the api sees it.
  await servePresence(t.queue, holder, (asked) => presence(asked), noError);
  await serveWakeUps(t.queue, (deviceId) => void wokenUp.push(onWakeUp(deviceId)));
});
afterAll(async () => {
  await Promise.all(wokenUp);
  await t.close();
});

const typing: CallOptions = { body: { action: 'start', phone_destination: '6281234567890' } };

test('presence reaches the holder of the session and costs no quota', async () => {
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

test('presence is refused while the device is not connected, by our row or by its holder', async () => {
  const customer = await createCustomer(t.database);
  presence = () => Promise.resolve('not-connected');
  expect((await call(t.url, customer, 'chatPresence', typing)).body.code).toBe('DEVICE_NOT_CONNECTED');
  await t.database.pool.query('UPDATE device_leases SET expires_at = now() WHERE device_id = $1', [customer.deviceId]);
  expect((await call(t.url, customer, 'chatPresence', typing)).body.code).toBe('DEVICE_NOT_CONNECTED');
});

test('presence that nobody takes is given up after its time', async () => {
  const customer = await createCustomer(t.database);
  presence = () => new Promise(() => {});
  const since = performance.now();
  const answer = await call(t.url, customer, 'chatPresence', typing);
  expect([answer.status, answer.body.code]).toEqual([504, 'DEVICE_TIMEOUT']);
  const tookMs = performance.now() - since;
  expect(tookMs).toBeGreaterThan(limits.presenceTimeoutMs - 50);
  // Wide, for a busy machine.
  expect(tookMs).toBeLessThan(limits.presenceTimeoutMs + 10_000);
});

test('a device that is connected shows its state, and connecting once its lease has run out', async () => {
  const customer = await createCustomer(t.database);
  const { body } = await call(t.url, customer, 'deviceInfo');
  expect(endpoints.deviceInfo.data.parse(body.data)).toMatchObject({
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

test('ten who disconnect at once all hear that it has happened', async () => {
  const customer = await createCustomer(t.database);
  let asked = 0;
  onWakeUp = async (deviceId) => {
    asked += 1;
    if (asked === 10) await writeUnlinked(t.database, { deviceId, owner: holder, epoch: 1n }, 'disconnected', null);
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(t.url, customer, 'disconnectDevice')));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
});

test('a device that was never linked can be looked at, but not disconnected', async () => {
  const customer = await createCustomer(t.database);
  const wanted = { accountId: customer.accountId, name: 'new', network: 'simulator', pacePerMinute: null } as const;
  const deviceId = await createDevice(t.database, wanted);
  expect((await call(t.url, customer, 'deviceInfo', { deviceId })).body.data['state']).toBe('disconnected');
  expect((await call(t.url, customer, 'disconnectDevice', { deviceId })).body.code).toBe('DEVICE_NOT_LINKED');
});

test('an action besides start and stop, or an unknown field, is refused by name', async () => {
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
