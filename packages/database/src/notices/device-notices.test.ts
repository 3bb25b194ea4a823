/** Tests of notices about devices: what makes one, what makes none, and how many come. */
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { NoticesFixture } from '../../test/notices-fixture.js';
import { requestUnlink } from '../devices/devices.js';
import { writeAccountLimits, writeDeviceState, writeUnlinked } from '../sessions/device-session.js';
import { releaseLeases } from '../sessions/leases.js';
import { collectNotices, noteLapsedDevices } from './collect-notices.js';
import { endNotices } from './send-notices.js';

const fixture = useDatabaseFixture({ poolSize: 20 });
const people = new NoticesFixture(fixture);

const lost = { reason: 'connection_lost' } as const;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

const goesAway = ({ holder }: Pick<Tenant, 'holder'>) =>
  writeDeviceState(fixture().database, holder, 'connecting', lost);
const comesBack = ({ holder }: Pick<Tenant, 'holder'>) =>
  writeDeviceState(fixture().database, holder, 'connected', null);

async function watched() {
  const tenant = await fixture().tenant();
  const member = await people.newMember(tenant, 'developer');
  return { ...tenant, member };
}

test('a device that is away for five minutes makes a notice to owners and developers, and not before', async () => {
  const tenant = await watched();
  await people.newMember(tenant, 'owner');
  await people.newMember(tenant, 'viewer');
  await goesAway(tenant);
  expect(await people.kindsOf(tenant)).toEqual([]);
  await people.letPass(4);
  expect(await people.kindsOf(tenant)).toEqual([]);
  await people.letPass(1);
  expect(await people.kindsOf(tenant)).toEqual(['device.disconnected', 'device.disconnected']);
  expect(await people.told(tenant)).toContainEqual(
    expect.objectContaining({ user_id: tenant.member.userId, subject_id: tenant.deviceId, reason: 'connection_lost' }),
  );
});

test('a device that came back within five minutes makes none, also when nobody read the log meanwhile', async () => {
  const tenant = await watched();
  await goesAway(tenant);
  await comesBack(tenant);
  await people.letPass(6);
  expect(await people.kindsOf(tenant)).toEqual([]);
});

test('a device that flaps a hundred times makes one notice, of the outage that lasts', async () => {
  const tenant = await watched();
  for (let flap = 0; flap < 100; flap++) {
    await goesAway(tenant);
    await comesBack(tenant);
  }
  await goesAway(tenant);
  await people.letPass(6);
  expect(await people.kindsOf(tenant)).toEqual(['device.disconnected']);
});

test('one outage makes one notice, however long it lasts and whatever reasons it gets', async () => {
  const tenant = await watched();
  await goesAway(tenant);
  for (let hour = 0; hour < 3; hour++) {
    await people.letPass(60);
    await writeDeviceState(fixture().database, tenant.holder, 'connecting', { reason: 'network_unavailable' });
    await writeDeviceState(fixture().database, tenant.holder, 'connecting', lost);
    await people.letPass(6);
    await people.collectAll();
  }
  expect(await people.kindsOf(tenant)).toEqual(['device.disconnected']);
});

test('a second outage within the hour is mailed when the hour is over, if the device is still away then', async () => {
  const tenant = await watched();
  const outage = async () => {
    await goesAway(tenant);
    await people.letPass(6);
    await people.collectAll();
  };
  const mailed = async () => {
    await people.makeDue(tenant);
    const [claimed] = await people.claimAll(tenant);
    await endNotices(fixture().database, claimed?.items.map(({ id }) => id) ?? [], 'sent');
    await endNotices(fixture().database, claimed?.over ?? [], 'not-sent');
    return claimed?.items.length;
  };
  await outage();
  expect(await mailed()).toBe(1);
  await comesBack(tenant);
  await outage();
  const [, second] = await people.told(tenant);
  const minutes = ((second?.due_at?.getTime() ?? 0) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(50);
  expect(await mailed()).toBe(1);
  await comesBack(tenant);
  await outage();
  await comesBack(tenant);
  expect(await mailed()).toBe(0);
  expect(await people.kindsOf(tenant)).toHaveLength(3);
});

test('an unlinking by a person makes no notice, and one that nobody asked for makes one', async () => {
  const [wanted, unwanted] = [await watched(), await watched()];
  await requestUnlink(fixture().database, wanted.accountId, wanted.deviceId);
  for (const { holder } of [wanted, unwanted])
    await writeUnlinked(fixture().database, holder, 'disconnected', { reason: 'logged_out' });
  await people.letPass(6);
  expect(await people.kindsOf(wanted)).toEqual([]);
  expect(await people.kindsOf(unwanted)).toEqual(['device.disconnected']);
  expect(await people.told(unwanted)).toMatchObject([{ reason: 'logged_out' }]);
});

test('a device whose workers are all gone makes a notice, although nothing wrote its state', async () => {
  const tenant = await watched();
  const expire = 'UPDATE device_leases SET expires_at = now() - make_interval(mins => $2) WHERE device_id = $1';
  await fixture().query(expire, [tenant.deviceId, 1]);
  await noteLapsedDevices(fixture().database);
  await noteLapsedDevices(fixture().database);
  await people.letPass(5);
  await fixture().query(expire, [tenant.deviceId, 6]);
  expect(await people.kindsOf(tenant)).toEqual(['device.disconnected']);
  const lapses = `SELECT 1 FROM events WHERE kind = 'device.lapsed' AND account_id = $1`;
  expect(await fixture().query(lapses, [tenant.accountId])).toHaveLength(1);
});

test('a hand-over between workers makes none', async () => {
  const tenant = await watched();
  await releaseLeases(fixture().database, [tenant.holder]);
  const next = await fixture().handOver(tenant.holder);
  await fixture().query(`UPDATE device_leases SET expires_at = now() + interval '1 hour' WHERE device_id = $1`, [
    next.deviceId,
  ]);
  await comesBack({ holder: next });
  await noteLapsedDevices(fixture().database);
  await people.letPass(6);
  expect(await people.kindsOf(tenant)).toEqual([]);
});

test('a restriction makes one notice while it lasts, and the next one another', async () => {
  const tenant = await watched();
  const restrict = (hours: number, used: number) =>
    writeAccountLimits(fixture().database, tenant.holder, {
      newContacts: { blockedUntil: inHours(hours), reason: 'too_many' },
      newChatQuota: { used, total: 100, resetsAt: null },
    });
  await restrict(6, 10);
  expect(await people.kindsOf(tenant)).toEqual(['device.restricted']);
  await people.letPass(120);
  await restrict(8, 11);
  expect(await people.kindsOf(tenant)).toHaveLength(1);
  await writeAccountLimits(fixture().database, tenant.holder, { newContacts: 'allowed', newChatQuota: null });
  expect(await people.kindsOf(tenant)).toHaveLength(1);
  await fixture().query(`UPDATE notices SET until = now() - interval '1 minute' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await restrict(2, 12);
  expect(await people.kindsOf(tenant)).toEqual(['device.restricted', 'device.restricted']);
});

test('a ban makes its own notice at once, and none of a device that is away', async () => {
  const [forGood, forNow] = [await watched(), await watched()];
  await writeUnlinked(fixture().database, forGood.holder, 'banned', { reason: 'banned' });
  const note = { reason: 'temporarily_banned', until: inHours(3) } as const;
  await writeDeviceState(fixture().database, forNow.holder, 'connecting', note);
  expect(await people.kindsOf(forGood)).toEqual(['device.banned']);
  expect(await people.kindsOf(forNow)).toEqual(['device.banned']);
  await people.letPass(6);
  expect(await people.kindsOf(forGood)).toEqual(['device.banned']);
  expect(await people.kindsOf(forNow)).toEqual(['device.banned']);
});

test('a thousand devices that are away make one mail to each person', async () => {
  const tenant = await watched();
  await fixture().query(
    `WITH made AS (
       INSERT INTO devices (id, account_id, name, network, linked, desired_state, state, last_connected_at)
       SELECT 'dev_' || $1 || n, $1, 'd' || n, 'simulator', true, 'linked', 'connected', now() FROM generate_series(1, 999) n RETURNING id)
     INSERT INTO device_leases (device_id, owner, epoch, expires_at) SELECT id, 'w', 1, now() + interval '1 hour' FROM made`,
    [tenant.accountId],
  );
  await fixture().query(
    `UPDATE devices SET state = 'connecting', state_reason = 'network_unavailable', state_at = now() WHERE account_id = $1`,
    [tenant.accountId],
  );
  await people.letPass(6);
  await people.collectAll();
  expect(await people.claimAll(tenant)).toEqual([]);
  await fixture().query(
    `UPDATE notices SET due_at = now() - interval '1 second' WHERE id = (SELECT min(id) FROM notices WHERE account_id = $1)`,
    [tenant.accountId],
  );
  const [mail, ...others] = await people.claimAll(tenant);
  expect(others).toEqual([]);
  expect(mail?.items).toHaveLength(1_000);
  await endNotices(fixture().database, mail?.items.map(({ id }) => id) ?? [], 'sent');
  // The next such mail waits for ten minutes after this one.
  const late = await fixture().device(tenant.accountId);
  await goesAway({ holder: late });
  await fixture().query(`UPDATE events SET at = at - interval '6 minutes' WHERE subject_id = $1`, [late.deviceId]);
  await fixture().query(`UPDATE devices SET state_at = state_at - interval '6 minutes' WHERE id = $1`, [late.deviceId]);
  await people.collectAll();
  const [waiting] = await fixture().query<{ minutes: number }>(
    `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM notices WHERE subject_id = $1`,
    [late.deviceId],
  );
  expect(waiting).toEqual({ minutes: 10 });
});

test('five readers at once make one notice of an outage', async () => {
  const tenant = await watched();
  await goesAway(tenant);
  await people.letPass(6);
  await Promise.all([1, 2, 3, 4, 5].map(() => collectNotices(fixture().database)));
  expect(await people.kindsOf(tenant)).toEqual(['device.disconnected']);
});
