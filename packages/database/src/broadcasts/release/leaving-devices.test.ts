/** Devices that leave a broadcast or come to it: whom the others know stays with a device that knows the person. */
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../../test/broadcast-fixture.js';
import { type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';
import { noteContacts } from '../../devices/device-contacts.js';
import type { LeaseToken } from '../../sessions/lease-token.js';
import { changeBroadcast } from '../change-broadcast.js';

const fixture = useDatabaseFixture();
const { many, drive, send, rows, broadcast, ready, running, resume, pause, start } = broadcastsOn(fixture);

const numbers = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => numberOf(from + i));

/** The device knows these people. With `daysAgo`, it had contact with them so long ago. */
async function know({ deviceId }: Pick<LeaseToken, 'deviceId'>, recipients: readonly string[], daysAgo = 0) {
  await noteContacts(
    fixture().database,
    recipients.map((recipient) => ({ deviceId, recipient, direction: 'wrote' as const })),
  );
  await fixture().query(
    `UPDATE device_contacts SET seen_at = now() - make_interval(days => $2), wrote_at = now() - interval '9 days'
     WHERE device_id = $1 AND recipient = ANY ($3::text[])`,
    [deviceId, daysAgo, recipients],
  );
}

const newContactsPerDay = ({ deviceId }: LeaseToken, count: number) =>
  fixture().query('UPDATE devices SET new_contacts_per_day = $2 WHERE id = $1', [deviceId, count]);
const leave = ({ deviceId }: Pick<LeaseToken, 'deviceId'>) =>
  fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked' WHERE id = $1`, [deviceId]);
const setConnected = ({ deviceId }: LeaseToken, isConnected: boolean) =>
  fixture().query('UPDATE devices SET state = $2 WHERE id = $1', [
    deviceId,
    isConnected ? 'connected' : 'disconnected',
  ]);
const changeDevices = ({ accountId }: Tenant, id: Parameters<typeof drive>[0], devices: readonly LeaseToken[]) =>
  changeBroadcast(
    fixture().database,
    { id, accountId },
    { deviceIds: devices.map(({ deviceId }) => deviceId) },
    undefined,
  );

test('people of a device that left go to the device that knows them and saw them last', async () => {
  const tenant = await fixture().tenant({ quota: 1_000 });
  const [second, third] = [await fixture().device(tenant.accountId), await fixture().device(tenant.accountId)];
  const people = numbers(0, 40);
  await know(tenant, people);
  await know(second, people, 3);
  await know(third, people.slice(0, 10), 1);
  await Promise.all([second, third].map((device) => newContactsPerDay(device, 0)));
  const deviceIds = [tenant.deviceId, second.deviceId, third.deviceId];
  const id = await running(tenant, many(41), { deviceIds });
  await leave(tenant);
  await drive(id);
  expect((await send(third)).toSorted()).toEqual(people.slice(0, 10));
  expect((await send(second)).toSorted()).toEqual(people.slice(10));
  // Nobody knows the last one, and no device may write to new contacts.
  expect((await rows(id))[40]).toMatchObject({ state: 0, device_id: null });
});

test('messages in the lane of a device that left go to the device that knows the person', async () => {
  const tenant = await fixture().tenant();
  const [second, third] = [await fixture().device(tenant.accountId), await fixture().device(tenant.accountId)];
  await know(tenant, numbers(0, 20));
  await know(third, numbers(0, 10), 1);
  const id = await running(tenant, many(20), {
    deviceIds: [tenant.deviceId, second.deviceId, third.deviceId],
  });
  await drive(id);
  await leave(tenant);
  await drive(id);
  expect(await send(third)).toEqual(expect.arrayContaining(numbers(0, 10)));
  expect((await rows(id)).slice(0, 10).map(({ device_id: device }) => device)).toEqual(
    Array.from({ length: 10 }, () => third.deviceId),
  );
});

test('a device that is added gets the people whom it knows, and none of them goes out by another one before', async () => {
  const tenant = await fixture().tenant({ quota: 3_000 });
  const added = await fixture().device(tenant.accountId);
  const id = await running(tenant, many(2_100));
  await pause(tenant, id);
  // The beginning of the list is done, so the rest of it comes next, before a step has looked at all of it.
  await fixture().query(
    `UPDATE broadcast_recipients SET state = 1, skip_reason = 'suppressed' WHERE broadcast_id = $1 AND position <= 2050`,
    [id],
  );
  const people = numbers(2_050, 2_080);
  await know(added, people);
  expect(await changeDevices(tenant, id, [tenant.holder, added])).toBe('changed');
  // The request looks nobody up.
  expect((await rows(id)).filter(({ device_id: device }) => device !== null)).toEqual([]);
  await newContactsPerDay(added, 0);
  await resume(tenant, id);
  await drive(id);
  expect((await send(added)).toSorted()).toEqual(people);
  expect((await send(tenant.holder)).toSorted()).toEqual(numbers(2_080, 2_100));
});

test('a device that is added before the start gets the people whom it knows', async () => {
  const tenant = await fixture().tenant();
  const added = await fixture().device(tenant.accountId);
  const id = await ready(tenant, many(4));
  await know(added, numbers(0, 2));
  await newContactsPerDay(added, 0);
  await changeDevices(tenant, id, [tenant.holder, added]);
  await start(tenant, id);
  await drive(id);
  expect((await send(added)).toSorted()).toEqual(numbers(0, 2));
  expect((await send(tenant.holder)).toSorted()).toEqual(numbers(2, 4));
});

test('a device that was taken away sends nothing more, and what waited goes out once another one can', async () => {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  await setConnected(other, false);
  const id = await running(tenant, many(30));
  await drive(id);
  await changeDevices(tenant, id, [other]);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'no_device' });
  expect(await send(tenant.holder)).toEqual([]);
  await setConnected(other, true);
  await drive(id);
  expect((await send(other)).toSorted()).toEqual(numbers(0, 30));
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'finished' });
});

test('a device that was taken away while the quota was missing sends nothing more', async () => {
  const tenant = await fixture().tenant({ quota: 300 });
  const other = await fixture().device(tenant.accountId);
  const id = await running(tenant, many(250));
  await drive(id);
  await fixture().query(`UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'quota' });
  await changeDevices(tenant, id, [other]);
  await drive(id);
  expect(await send(tenant.holder)).toEqual([]);
  expect(await send(other)).toHaveLength(200);
});

test('a device that comes back sends what waited in its lane', async () => {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  await setConnected(other, false);
  const id = await running(tenant, [rowOf(numberOf(0))]);
  await drive(id);
  await changeDevices(tenant, id, [other]);
  await drive(id);
  expect(await send(tenant.holder)).toEqual([]);
  await changeDevices(tenant, id, [tenant.holder]);
  await drive(id);
  expect(await send(tenant.holder)).toEqual([numberOf(0)]);
});

test('a broadcast that somebody paused lets nothing go when its devices change', async () => {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  const id = await running(tenant, many(3));
  await drive(id);
  await pause(tenant, id);
  await changeDevices(tenant, id, [tenant.holder, other]);
  await drive(id);
  expect([...(await send(tenant.holder)), ...(await send(other))]).toEqual([]);
  await changeDevices(tenant, id, [other]);
  await resume(tenant, id);
  // The device that left sends nothing before the first step either.
  expect(await send(tenant.holder)).toEqual([]);
  await drive(id);
  expect(await send(other)).toHaveLength(3);
});
