import { type DeviceId, publicOperations } from '@kurir/contracts';
import { createDevice } from '@kurir/database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

const remove = (deviceId = customer.deviceId) => call(t.url, customer, 'deleteDevice', { deviceId });
/** As the worker leaves it, which ends messages and lets the device go a moment later. */
const unlink = () =>
  t.database.pool.query(
    `WITH freed AS (UPDATE device_leases SET expires_at = now() + interval '300 milliseconds' WHERE device_id = $1)
     UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected' WHERE id = $1`,
    [customer.deviceId],
  );

test('a device that was unlinked just now is deleted, its waiting messages fail, and they stay readable', async () => {
  const sent = await call(t.url, customer, 'sendMessage', { body: aMessage });
  const jobId = String(sent.body.data['job_id']);
  await unlink();
  expect((await remove()).body.data).toEqual({ device_id: customer.deviceId });
  const job = await call(t.url, customer, 'getMessage', { jobId });
  expect(job.body.data).toMatchObject({
    status: 'failed',
    reason: 'device_unlinked',
    device_id: customer.deviceId,
    phone_destination: aMessage.phone_destination,
  });
  expect((await call(t.url, customer, 'listDevices')).body.data['devices']).toEqual([]);
  expect((await call(t.url, customer, 'deviceInfo')).body.code).toBe('DEVICE_NOT_FOUND');
  expect((await call(t.url, customer, 'linkDevice', { body: {} })).body.code).toBe('DEVICE_NOT_FOUND');
  expect((await call(t.url, customer, 'sendMessage', { body: aMessage })).body.code).toBe('DEVICE_NOT_FOUND');
  expect((await call(t.url, customer, 'listMessages')).body.data['messages']).toHaveLength(1);
  expect((await remove()).body.code).toBe('DEVICE_NOT_FOUND');
});

test('a device that is linked or being linked stays, and the answer says what to do', async () => {
  const linked = await remove();
  expect([linked.status, linked.body.code, linked.body.error]).toEqual([
    409,
    'DEVICE_IN_USE',
    expect.stringContaining('/api/v1/devices/disconnect'),
  ]);
  const { accountId } = customer;
  const deviceId = await createDevice(t.database, { accountId, name: 'Toko', network: 'simulator' });
  await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  expect((await remove(deviceId)).body.error).toContain('/api/v1/devices/link/cancel');
  await call(t.url, customer, 'cancelLink', { deviceId });
  expect((await remove(deviceId)).status).toBe(200);
});

test('after its deletion, a client_ref makes a new device', async () => {
  const body = { name: 'Toko', network: 'simulator', client_ref: 'kasir-1' };
  const create = async () => {
    const made = await call(t.url, customer, 'createDevice', { body });
    return publicOperations.createDevice.data.parse(made.body.data).device_id as DeviceId;
  };
  const first = await create();
  expect((await remove(first)).status).toBe(200);
  const second = await create();
  expect(second).not.toBe(first);
});
