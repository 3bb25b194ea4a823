/** Tests of creating, listing and linking devices. They check the rows, the answers and the woken workers. */
import { type DeviceId, publicOperations, linkFailures } from '@kurir/contracts';
import {
  readIntents,
  writeDeviceState,
  writeLinked,
  writeLinkEnd,
  writePairingCode,
  writeReplaced,
} from '@kurir/database';
import { serveWakeUps } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer, holder } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

const phone = '6281234567890';

let t: TestApi;
const woken: DeviceId[] = [];

beforeAll(async () => {
  t = await startTestApi();
  await serveWakeUps(t.queue, (deviceId) => void woken.push(deviceId));
});
afterAll(() => t.close());

async function createUnlinked(customer: Customer): Promise<DeviceId> {
  const { body } = await call(t.url, customer, 'createDevice', { body: { name: 'Toko', network: 'simulator' } });
  return publicOperations.createDevice.data.parse(body.data).device_id as DeviceId;
}

/** Takes the lease of the device, as a worker does. */
async function hold(deviceId: DeviceId) {
  await t.database.pool.query(
    `UPDATE device_leases SET owner = $2, epoch = 1, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [deviceId, holder],
  );
  return { deviceId, owner: holder, epoch: 1n };
}

async function shown(customer: Customer, deviceId: DeviceId) {
  const { body } = await call(t.url, customer, 'listDevices');
  return publicOperations.listDevices.data.parse(body.data).devices.find((device) => device.device_id === deviceId);
}

async function intentOf(deviceId: DeviceId) {
  const [intent] = await readIntents(t.database, [deviceId]);
  return intent;
}

test('a device is created unlinked, by default on WhatsApp and with a polite pace', async () => {
  const customer = await createCustomer(t.database);
  const plain = await call(t.url, customer, 'createDevice', { body: { name: 'Toko 1' } });
  const created = publicOperations.createDevice.data.parse(plain.body.data);
  expect(created).toMatchObject({ name: 'Toko 1', network: 'whatsapp', state: 'disconnected' });
  const paced = { name: 'Toko 2', network: 'simulator', pace_per_minute: 20 };
  const other = publicOperations.createDevice.data.parse(
    (await call(t.url, customer, 'createDevice', { body: paced })).body.data,
  );
  expect(await intentOf(created.device_id as DeviceId)).toMatchObject({ network: 'whatsapp', pacePerMinute: 20 });
  expect(await intentOf(other.device_id as DeviceId)).toMatchObject({ network: 'simulator', pacePerMinute: 20 });
  const { body } = await call(t.url, customer, 'listDevices');
  expect(publicOperations.listDevices.data.parse(body.data).devices).toMatchObject([
    { device_id: customer.deviceId, state: 'connected' },
    {
      device_id: created.device_id,
      name: 'Toko 1',
      network: 'whatsapp',
      state: 'disconnected',
      state_reason: null,
      phone_number: null,
      pairing: null,
      created_at: created.created_at,
    },
    { device_id: other.device_id, name: 'Toko 2' },
  ]);
});

test('linking wakes a worker, and the list shows its code while the code is valid', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  const answer = await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  expect([answer.status, answer.body.data]).toEqual([200, { device_id: deviceId, state: 'pairing' }]);
  await waitUntil(() => woken.includes(deviceId), { what: 'the holder is woken' });
  expect(await intentOf(deviceId)).toMatchObject({
    desiredState: 'linked',
    pairing: { method: 'qr', phoneNumber: null },
  });
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'pairing', pairing: null });

  const held = await hold(deviceId);
  const until = new Date(Date.now() + 60_000);
  await writePairingCode(t.database, held, '2@code', until);
  const pairing = { code: '2@code', valid_until: until.toISOString() };
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'pairing', pairing });
  await writePairingCode(t.database, held, '2@old', new Date(Date.now() - 1));
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'pairing', pairing: null });
  await writeLinked(t.database, held, phone);
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'connecting', phone_number: phone, pairing: null });
});

test('linking again by another method replaces the request and its code', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  await call(t.url, customer, 'linkDevice', { deviceId, body: { method: 'qr' } });
  await writePairingCode(t.database, await hold(deviceId), '2@code', new Date(Date.now() + 60_000));
  const body = { method: 'pairing_code', phone_number: phone };
  expect((await call(t.url, customer, 'linkDevice', { deviceId, body })).status).toBe(200);
  expect(await intentOf(deviceId)).toMatchObject({ pairing: { method: 'pairing_code', phoneNumber: phone } });
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'pairing', pairing: null });
});

test('a linked device refuses another linking and stays as it is', async () => {
  const customer = await createCustomer(t.database);
  const answer = await call(t.url, customer, 'linkDevice', { body: {} });
  expect([answer.status, answer.body.code]).toEqual([409, 'DEVICE_ALREADY_LINKED']);
  expect(await shown(customer, customer.deviceId)).toMatchObject({ state: 'connected', pairing: null });
});

test('cancelling removes the request and the code, and a second time is refused', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  await writePairingCode(t.database, await hold(deviceId), '2@code', new Date(Date.now() + 60_000));
  woken.length = 0;
  const answer = await call(t.url, customer, 'cancelLink', { deviceId });
  expect([answer.status, answer.body.data]).toEqual([200, { device_id: deviceId, state: 'disconnected' }]);
  await waitUntil(() => woken.includes(deviceId), { what: 'the holder is woken' });
  expect(await intentOf(deviceId)).toMatchObject({ desiredState: 'unlinked', pairing: null });
  expect(await shown(customer, deviceId)).toMatchObject({ state_reason: 'link_cancelled', pairing: null });
  const again = await call(t.url, customer, 'cancelLink', { deviceId });
  expect([again.status, again.body.code]).toEqual([409, 'DEVICE_NOT_PAIRING']);
});

test('a link that the phone has completed cannot be cancelled', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  await writeLinked(t.database, await hold(deviceId), phone);
  expect((await call(t.url, customer, 'cancelLink', { deviceId })).body.code).toBe('DEVICE_NOT_PAIRING');
  expect(await intentOf(deviceId)).toMatchObject({ desiredState: 'linked', linked: true });
});

test('reconnecting a contested device clears the reason and wakes its worker, also when it is requested twice', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  const early = await call(t.url, customer, 'reconnectDevice', { deviceId });
  expect([early.status, early.body.code]).toEqual([409, 'DEVICE_NOT_LINKED']);
  await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  const held = await hold(deviceId);
  await writeLinked(t.database, held, phone);
  for (let i = 0; i < 3; i++) await writeReplaced(t.database, held);
  const contested = await shown(customer, deviceId);
  expect(contested).toMatchObject({ state: 'connecting', state_reason: 'contested' });
  expect(contested?.state_advice).toContain('reconnect the device');
  woken.length = 0;
  for (let i = 0; i < 2; i++) {
    const answer = await call(t.url, customer, 'reconnectDevice', { deviceId });
    expect([answer.status, answer.body.data]).toEqual([200, { device_id: deviceId, state: 'connecting' }]);
  }
  await waitUntil(() => woken.includes(deviceId), { what: 'the holder is woken' });
  expect(await shown(customer, deviceId)).toMatchObject({ state: 'connecting', state_reason: null });
});

test('a device whose client version was refused is listed with the version and its age', async () => {
  const customer = await createCustomer(t.database);
  await t.database.pool.query(
    `INSERT INTO whatsapp_versions (version, source, first_seen_at)
     VALUES ('2.3000.7', 'built-in', now() - interval '125 days 1 hour')`,
  );
  const device = { deviceId: customer.deviceId, owner: holder, epoch: 1n };
  await writeDeviceState(t.database, device, 'connecting', { reason: 'client_outdated', detail: '2.3000.7' });
  expect(await shown(customer, customer.deviceId)).toMatchObject({
    state: 'connecting',
    state_reason: 'client_outdated',
    state_detail: '2.3000.7',
    state_advice: expect.stringContaining('version 2.3000.7 (known here for 125 days)'),
  });
});

test('a failed link shows its reason and what the customer can do', async () => {
  const customer = await createCustomer(t.database);
  const deviceId = await createUnlinked(customer);
  await call(t.url, customer, 'linkDevice', { deviceId, body: {} });
  const end = { reason: 'link_failed', detail: 'passkey_required', cancelled: false, shownCode: null } as const;
  expect(await writeLinkEnd(t.database, await hold(deviceId), end)).toBe('written');
  expect(await shown(customer, deviceId)).toMatchObject({
    state: 'disconnected',
    state_reason: 'link_failed',
    state_detail: 'passkey_required',
    state_advice: linkFailures.passkey_required,
  });
});
