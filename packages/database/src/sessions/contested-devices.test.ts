import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { createDevice } from '../devices/create-device.js';
import { readDevice, requestLink, requestUnlink } from '../devices/devices.js';
import { requestReconnect, writeReplaced } from './contested-devices.js';
import { readIntents, writeDeviceState, writeUnlinked } from './device-session.js';
import { writeLinked } from './write-linked.js';
import type { LeaseToken } from './lease-token.js';
import { releaseLeases, takeLeases } from './leases.js';

const fixture = useDatabaseFixture();
const number = '6281234567890';

type Linked = { readonly accountId: Awaited<ReturnType<typeof createAccount>>; readonly holder: LeaseToken };

async function taken(deviceId: LeaseToken['deviceId'], owner: string): Promise<LeaseToken> {
  const leases = await takeLeases(fixture().database, owner, 0, 1_000, 1_000);
  const lease = leases.find((each) => each.deviceId === deviceId);
  if (lease === undefined) throw new Error('the device was not taken');
  return { ...lease, owner };
}

async function connected(): Promise<Linked> {
  const { database } = fixture();
  const accountId = await createAccount(database, 'test');
  const deviceId = await createDevice(database, { accountId, name: 'd', network: 'simulator', pacePerMinute: null });
  await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
  const holder = await taken(deviceId, 'wrk_a');
  await writeLinked(database, holder, number);
  await writeDeviceState(database, holder, 'connected', null);
  return { accountId, holder };
}

async function seen({ accountId, holder }: Linked) {
  const [intent] = await readIntents(fixture().database, [holder.deviceId]);
  const device = await readDevice(fixture().database, accountId, holder.deviceId);
  return { ...device, contested: intent?.contested };
}

async function replace({ holder }: Linked, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await writeReplaced(fixture().database, holder);
}

test('a device that is replaced for the third time is contested: it stays linked and accepts no messages', async () => {
  const device = await connected();
  const { database } = fixture();
  expect(await writeReplaced(database, device.holder)).toEqual({ reason: 'replaced', times: 1 });
  expect(await seen(device)).toMatchObject({ state: 'connecting', stateReason: 'replaced', acceptsSends: true });
  expect(await writeReplaced(database, device.holder)).toEqual({ reason: 'replaced', times: 2 });
  expect(await writeReplaced(database, device.holder)).toEqual({ reason: 'contested', times: 3 });
  expect(await seen(device)).toMatchObject({
    state: 'connecting',
    stateReason: 'contested',
    linked: true,
    acceptsSends: false,
    contested: true,
  });
});

test('the count goes on with another owner, and a connection in between does not end it', async () => {
  const device = await connected();
  await replace(device, 2);
  await writeDeviceState(fixture().database, device.holder, 'connected', null);
  await releaseLeases(fixture().database, [device.holder]);
  const next = { ...device, holder: await taken(device.holder.deviceId, 'wrk_b') };
  expect(await writeReplaced(fixture().database, next.holder)).toEqual({ reason: 'contested', times: 3 });
});

test('an old replacement does not count', async () => {
  const device = await connected();
  await replace(device, 2);
  await fixture().database.pool.query(
    `UPDATE devices SET replaced_at = ARRAY[now() - interval '11 minutes', now() - interval '9 minutes'] WHERE id = $1`,
    [device.holder.deviceId],
  );
  expect(await writeReplaced(fixture().database, device.holder)).toEqual({ reason: 'replaced', times: 2 });
});

test('a worker that lost its lease counts nothing', async () => {
  const device = await connected();
  await releaseLeases(fixture().database, [device.holder]);
  expect(await writeReplaced(fixture().database, device.holder)).toBeNull();
  expect(await seen(device)).toMatchObject({ stateReason: null, contested: false });
});

test('a person of the account ends the contest once, and the count starts again', async () => {
  const device = await connected();
  const { database } = fixture();
  const { deviceId } = device.holder;
  await replace(device, 3);
  const stranger = await connected();
  expect(await requestReconnect(database, stranger.accountId, deviceId)).toBe(false);
  expect(await seen(device)).toMatchObject({ contested: true });
  expect(await requestReconnect(database, device.accountId, deviceId)).toBe(true);
  expect(await requestReconnect(database, device.accountId, deviceId)).toBe(true);
  expect(await seen(device)).toMatchObject({ state: 'connecting', stateReason: null, contested: false });
  expect(await writeReplaced(database, device.holder)).toEqual({ reason: 'replaced', times: 1 });
});

test('a request to connect changes nothing for a device that waits for another reason or is connected', async () => {
  const device = await connected();
  const { database } = fixture();
  expect(await requestReconnect(database, device.accountId, device.holder.deviceId)).toBe(true);
  expect(await seen(device)).toMatchObject({ state: 'connected' });
  const until = new Date(Date.now() + 60_000);
  await writeDeviceState(database, device.holder, 'connecting', { reason: 'temporarily_banned', until });
  expect(await requestReconnect(database, device.accountId, device.holder.deviceId)).toBe(true);
  expect(await seen(device)).toMatchObject({ stateReason: 'temporarily_banned', stateUntil: until });
});

test('a request to connect changes nothing for a device that is not linked or is to be unlinked', async () => {
  const device = await connected();
  const { database } = fixture();
  const { deviceId } = device.holder;
  await replace(device, 3);
  await requestUnlink(database, device.accountId, deviceId);
  expect(await requestReconnect(database, device.accountId, deviceId)).toBe(false);
  await writeUnlinked(database, device.holder, 'disconnected', { reason: 'logged_out' });
  expect(await requestReconnect(database, device.accountId, deviceId)).toBe(false);
});

test('another link ends the contest and its count', async () => {
  const device = await connected();
  const { database } = fixture();
  await replace(device, 3);
  await writeUnlinked(database, device.holder, 'disconnected', { reason: 'logged_out' });
  expect(await seen(device)).toMatchObject({ stateReason: 'logged_out', contested: false });
  await requestLink(database, device.accountId, device.holder.deviceId, { method: 'qr', phoneNumber: null });
  await writeLinked(database, device.holder, number);
  expect(await writeReplaced(database, device.holder)).toEqual({ reason: 'replaced', times: 1 });
});
