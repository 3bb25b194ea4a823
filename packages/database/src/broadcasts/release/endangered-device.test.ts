/** A device whose number is at risk gets no new contacts of a broadcast while another one may take them. */
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf } from '../../../test/broadcast-fixture.js';
import { type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';
import { noteContacts } from '../../devices/device-contacts.js';
import type { LeaseToken } from '../../sessions/lease-token.js';

const fixture = useDatabaseFixture();
const { many, drive, send, running } = broadcastsOn(fixture);

/** Gives the device so many failures of a hundred messages of today. */
const fail = ({ deviceId }: LeaseToken, failed: number) =>
  fixture().query(
    `INSERT INTO device_days (device_id, day, sent, failed) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 100 - $2::int, $2)`,
    [deviceId, failed],
  );

/** A tenant with a second device. */
async function pair(): Promise<{ tenant: Tenant; other: LeaseToken; deviceIds: LeaseToken['deviceId'][] }> {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  return { tenant, other, deviceIds: [tenant.deviceId, other.deviceId] };
}

test('it keeps the people whom it knows, and the others go out by a device that is good or watched', async () => {
  const { tenant, other, deviceIds } = await pair();
  await fail(tenant.holder, 20);
  await fail(other, 10);
  await noteContacts(
    fixture().database,
    [0, 1, 2].map((i) => ({ deviceId: tenant.deviceId, recipient: numberOf(i), direction: 'wrote' as const })),
  );
  const id = await running(tenant, many(40), { deviceIds });
  await drive(id);
  expect((await send(tenant.holder)).toSorted()).toEqual([0, 1, 2].map(numberOf));
  expect(await send(other)).toHaveLength(37);
});

test('it gets new contacts once the others may write to no more of them today', async () => {
  const { tenant, other, deviceIds } = await pair();
  await fail(tenant.holder, 20);
  await fixture().query('UPDATE devices SET new_contacts_per_day = 5 WHERE id = $1', [other.deviceId]);
  const id = await running(tenant, many(20), { deviceIds });
  await drive(id);
  await send(other);
  await drive(id);
  expect(await send(tenant.holder)).toHaveLength(15);
});

test('it gets none while the lane of the sound device is full', async () => {
  const { tenant, other, deviceIds } = await pair();
  await fail(tenant.holder, 20);
  const id = await running(tenant, many(300), { deviceIds });
  await drive(id);
  expect(await send(tenant.holder)).toEqual([]);
  expect(await send(other)).toHaveLength(200);
  await drive(id);
  expect(await send(tenant.holder)).toEqual([]);
  expect(await send(other)).toHaveLength(100);
});

test('devices that are all at risk share new contacts as good ones do', async () => {
  const { tenant, other, deviceIds } = await pair();
  await fail(tenant.holder, 20);
  await fail(other, 60);
  const id = await running(tenant, many(40), { deviceIds });
  await drive(id);
  expect([(await send(tenant.holder)).length, (await send(other)).length]).toEqual([20, 20]);
});
