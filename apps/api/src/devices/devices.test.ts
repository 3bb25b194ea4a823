import { type DeviceId, publicOperations, limits } from '@kurir/contracts';
import { createDevice, revokeApiKey, writeUnlinked } from '@kurir/database';
import { type PresenceHandler, servePresence, serveWakeUps } from '@kurir/queue';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, holder } from '../../test/customer-fixture.js';
import { personOf, storeReport, textFrom, writeTo } from '../../test/inbound-fixture.js';
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

describe('a typing signal to a conversation', () => {
  const toConversation = (id: string): CallOptions => ({ body: { action: 'start', conversation_id: id } });

  test('reaches its person, also one who hides the number, and by an alias', async () => {
    const customer = await createCustomer(t.database);
    const recipients: string[] = [];
    presence = ({ recipient }) => {
      recipients.push(recipient);
      return Promise.resolve('taken');
    };
    const older = await writeTo(t.database, customer.deviceId, 'a', personOf('lid:1', null));
    expect((await call(t.url, customer, 'chatPresence', toConversation(older))).status).toBe(200);
    const younger = await writeTo(t.database, customer.deviceId, 'b', personOf('6281200000111', '6281200000111'));
    await writeTo(t.database, customer.deviceId, 'c', personOf('lid:1', '6281200000111'));
    expect((await call(t.url, customer, 'chatPresence', toConversation(younger))).status).toBe(200);
    expect(recipients).toEqual(['lid:1', '6281200000111']);
  });

  test('is refused for another device, a group, both recipients, none, and a conversation of another account', async () => {
    const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
    presence = () => Promise.reject(new Error('the worker was asked'));
    const refused = async (options: CallOptions, whose = customer) => {
      const { status, body } = await call(t.url, whose, 'chatPresence', options);
      return [status, body.code, body.error.split(':')[0]];
    };
    const id = await writeTo(t.database, customer.deviceId, 'Halo');
    const deviceId = await createConnectedDevice(t.database, customer.accountId);
    const invalid = [422, 'INVALID_REQUEST', 'conversation_id'];
    expect(await refused({ ...toConversation(id), deviceId })).toEqual(invalid);
    const chat = { id: 'group:1', type: 'group' } as const;
    await storeReport(t.database, customer.deviceId, { ...textFrom(personOf('lid:1', null), 'Halo'), chat });
    const { rows } = await t.database.pool.query<{ id: string }>(
      `SELECT id FROM conversations WHERE device_id = $1 AND type = 'group'`,
      [customer.deviceId],
    );
    expect(await refused(toConversation(rows[0]?.id ?? ''))).toEqual(invalid);
    const both = { action: 'start', conversation_id: id, phone_destination: '6281234567890' };
    expect(await refused({ body: both })).toEqual(invalid);
    expect(await refused(toConversation('cnv_none'))).toEqual(invalid);
    expect(await refused({ body: { action: 'start' } })).toEqual([422, 'INVALID_REQUEST', 'phone_destination']);
    expect((await refused(toConversation(id), other)).slice(0, 2)).toEqual([404, 'CONVERSATION_NOT_FOUND']);
  });

  test('is refused if the device is not connected', async () => {
    const customer = await createCustomer(t.database);
    const id = await writeTo(t.database, customer.deviceId, 'Halo');
    await t.database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '2 ms' WHERE device_id = $1`, [
      customer.deviceId,
    ]);
    expect((await call(t.url, customer, 'chatPresence', toConversation(id))).body.code).toBe('DEVICE_NOT_CONNECTED');
  });
});

test('a typing signal is refused if the database or the worker says that the device is not connected', async () => {
  const customer = await createCustomer(t.database);
  presence = () => Promise.resolve('not-connected');
  expect((await call(t.url, customer, 'chatPresence', typing)).body.code).toBe('DEVICE_NOT_CONNECTED');
  await t.database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '2 ms' WHERE device_id = $1`, [
    customer.deviceId,
  ]);
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
  await t.database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '2 ms' WHERE device_id = $1`, [
    customer.deviceId,
  ]);
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
