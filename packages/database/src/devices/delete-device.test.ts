import { beforeEach, describe, expect, test } from 'vitest';
import { broadcastsOn } from '../../test/broadcast-fixture.js';
import { present, sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { listMessages } from '../messages/reading/list-messages.js';
import { failUnlinkedMessages } from '../messages/sweep-messages.js';
import { writeCredentials } from '../sessions/credentials.js';
import { deleteDevice, finishDeletedDevices } from './delete-device.js';
import { noteContacts } from './device-contacts.js';
import { readDeviceCounts } from './device-limits.js';
import { listDeviceDetails } from './device-details.js';
import { changeDevice } from './device-settings.js';
import { readDevice, requestLink } from './devices.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await fixture().tenant();
});

const unlink = () =>
  fixture().query(
    `WITH freed AS (UPDATE device_leases SET owner = NULL WHERE device_id = $1)
     UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected' WHERE id = $1`,
    [tenant.deviceId],
  );
const remove = () => deleteDevice(fixture().database, tenant.accountId, tenant.deviceId);

test('an unlinked device goes with its name, its number, its contacts and its keys', async () => {
  const { database } = fixture();
  const { deviceId, holder, accountId } = tenant;
  const number = '6289911112222';
  await writeCredentials(database, sealer, holder, [{ kind: 'session', id: `${number}.0`, value: Buffer.from('x') }]);
  await noteContacts(database, [{ deviceId, recipient: number, direction: 'wrote' }]);
  await fixture().query(
    `UPDATE devices SET name = 'Toko Melati', phone_number = $2, client_ref = 'kasir-7' WHERE id = $1`,
    [deviceId, number],
  );
  await unlink();
  expect(await remove()).toBe('deleted');
  for (const text of [number, 'Toko Melati', 'kasir-7']) expect(await findEverywhere(fixture(), text)).toEqual([]);
  expect(await readDevice(database, accountId, deviceId)).toBeNull();
  expect(await listDeviceDetails(database, sealer, accountId)).toEqual([]);
});

test('its messages stay readable, and its events stay', async () => {
  await fixture().accept(tenant);
  await unlink();
  await failUnlinkedMessages(fixture().database);
  expect(await remove()).toBe('deleted');
  const filter = { status: null, deviceId: tenant.deviceId, recipient: null, clientRef: null, limit: 10, cursor: null };
  const { messages } = await listMessages(fixture().database, tenant.accountId, filter);
  expect(messages).toMatchObject([{ deviceId: tenant.deviceId, status: 'failed', reason: 'device_unlinked' }]);
  expect(
    (await fixture().query('SELECT 1 FROM events WHERE device_id = $1', [tenant.deviceId])).length,
  ).toBeGreaterThan(0);
});

describe('is not deleted', () => {
  test('while it is linked', async () => {
    expect(await remove()).toBe('linked');
  });
  test('while it is being linked', async () => {
    await unlink();
    await requestLink(fixture().database, tenant.accountId, tenant.deviceId, { method: 'qr', phoneNumber: null });
    expect(await remove()).toBe('pairing');
  });
  test('while a worker holds it', async () => {
    await unlink();
    await fixture().query(`UPDATE device_leases SET owner = 'wrk_x' WHERE device_id = $1`, [tenant.deviceId]);
    expect(await remove()).toBe('held');
  });
  test('while a message of it waits', async () => {
    await fixture().accept(tenant);
    await unlink();
    expect(await remove()).toBe('has-messages');
  });
  test('while a message of a paused broadcast waits, until the broadcast is cancelled', async () => {
    const { running, many, drive, pause, cancel } = broadcastsOn(fixture);
    const id = await running(tenant, many(1));
    await drive(id);
    await pause(tenant, id);
    await unlink();
    await failUnlinkedMessages(fixture().database);
    expect(await remove()).toBe('has-broadcast');
    await cancel(tenant, id);
    await drive(id);
    expect(await remove()).toBe('deleted');
  });
  test('by another account', async () => {
    await unlink();
    const { accountId } = await fixture().tenant();
    expect(await deleteDevice(fixture().database, accountId, tenant.deviceId)).toBe('not-found');
  });
});

test('of two deletions at once, one happens', async () => {
  await unlink();
  expect((await Promise.all([remove(), remove()])).sort()).toEqual(['deleted', 'not-found']);
});

test('a deleted device no longer counts for the limit of its account', async () => {
  const { database } = fixture();
  const before = await readDeviceCounts(database, tenant.accountId);
  await unlink();
  await remove();
  expect(await readDeviceCounts(database, tenant.accountId)).toEqual({ ...before, devices: before.devices - 1 });
});

test('a deleted device can be neither linked nor changed', async () => {
  await unlink();
  await remove();
  const { accountId, deviceId } = tenant;
  const pairing = { method: 'qr', phoneNumber: null } as const;
  expect(await requestLink(fixture().database, accountId, deviceId, pairing)).toBe(false);
  expect(await changeDevice(fixture().database, sealer, accountId, deviceId, { name: 'n' })).toBe(false);
});

test('a message whose acceptance crossed the deletion fails with its quota back', async () => {
  // The acceptance had read the device before the deletion, and stores its message after it.
  const [message] = await fixture().accept(tenant);
  const { messageId } = present(message);
  await fixture().query(`UPDATE messages SET device_id = 'dev_elsewhere' WHERE id = $1`, [messageId]);
  await unlink();
  await remove();
  await fixture().query('UPDATE messages SET device_id = $2 WHERE id = $1', [messageId, tenant.deviceId]);
  await fixture().query(`UPDATE devices SET deleted_at = now() - interval '2 days' WHERE id = $1`, [tenant.deviceId]);
  await finishDeletedDevices(fixture().database, signal);
  await failUnlinkedMessages(fixture().database);
  expect(await fixture().state(messageId)).toMatchObject({ status: 'failed', reason: 'device_unlinked' });
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});

test('a day later its row goes, and what a killed deletion left goes at once', async () => {
  await unlink();
  await remove();
  const { deviceId } = tenant;
  await fixture().query(
    `INSERT INTO device_contacts (device_id, recipient) SELECT $1, '62' || n FROM generate_series(1000000, 1002499) n`,
    [deviceId],
  );
  await finishDeletedDevices(fixture().database, signal);
  expect(await fixture().query('SELECT 1 FROM device_contacts WHERE device_id = $1', [deviceId])).toEqual([]);
  expect(await fixture().query('SELECT 1 FROM devices WHERE id = $1', [deviceId])).toHaveLength(1);
  await fixture().query(`UPDATE devices SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [deviceId]);
  await finishDeletedDevices(fixture().database, signal);
  expect(await fixture().query('SELECT 1 FROM devices WHERE id = $1', [deviceId])).toEqual([]);
});
