/** Tests of the way from a linked number to the notices of the owners. */
import { type DeviceId, newId, type UserId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { waitUntil } from '@kurir/testing';
import { addMember, changeMemberRole } from '../accounts/members.js';
import { ensurePerson } from '../accounts/people.js';
import { requestLink } from '../devices/devices.js';
import { writeUnlinked } from '../sessions/device-session.js';
import { writeLinked } from '../sessions/write-linked.js';
import { type ClaimedNotice, claimNotice, collectNotices, endNotice, hasNoticeWork } from './notices.js';

const fixture = useDatabaseFixture({ poolSize: 20 });

async function newOwner(tenant: Tenant, role: 'owner' | 'developer' = 'owner') {
  const email = `${newId('usr')}@example.com`;
  const id = await ensurePerson(fixture().database, { email, name: 'Siti', passwordHash: 'x', isAdmin: false });
  await addMember(fixture().database, tenant.accountId, id, role);
  return { id, email };
}

/** Asks for the link and links the device, as a person and a worker do. */
async function link(tenant: Tenant, number: string, actor: string): Promise<void> {
  const { database } = fixture();
  const { accountId, deviceId, holder } = tenant;
  await writeUnlinked(database, holder, 'disconnected', null);
  const audit = { accountId, actor, action: 'device.link_requested' } as const;
  await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null }, audit);
  expect(await writeLinked(database, holder, number)).toBe(true);
}

const auditOf = ({ accountId }: Tenant) =>
  fixture().query(
    `SELECT actor, subject, detail FROM audit_log WHERE account_id = $1 AND action = 'device.linked' ORDER BY id`,
    [accountId],
  );

const ofAccount = ({ accountId }: Tenant) =>
  fixture().query<{ user_id: UserId }>('SELECT user_id FROM notices WHERE account_id = $1 ORDER BY id', [accountId]);

/** Collects until the account has this many notices. Statements of other files in this cluster may hold the log back. */
const collected = (tenant: Tenant, count: number) =>
  waitUntil(
    async () => {
      await collectNotices(fixture().database);
      return (await ofAccount(tenant)).length >= count;
    },
    { what: 'the notices are made', timeoutMs: 30_000 },
  );

/** Claims all notices that are due, and returns those of the device. */
async function claimAll(deviceId: DeviceId): Promise<ClaimedNotice[]> {
  const claimed: ClaimedNotice[] = [];
  for (;;) {
    const notice = await claimNotice(fixture().database);
    if (notice === null) return claimed.filter((one) => one.deviceId === deviceId);
    claimed.push(notice);
  }
}

test('a number that the device did not have before is audited and noticed, the same number is not', async () => {
  const tenant = await fixture().tenant();
  const owner = await newOwner(tenant);
  const developer = await newOwner(tenant, 'developer');
  await link(tenant, '6281234567890', developer.id);
  await link(tenant, '6281234567890', owner.id);
  await link(tenant, '6285700001111', tenant.keyId);
  expect(await auditOf(tenant)).toEqual([
    { actor: developer.id, subject: tenant.deviceId, detail: { number_ends: '7890' } },
    { actor: tenant.keyId, subject: tenant.deviceId, detail: { number_ends: '1111' } },
  ]);
  await collected(tenant, 2);
  expect(await ofAccount(tenant)).toEqual([{ user_id: owner.id }, { user_id: owner.id }]);
  const [first, second] = await claimAll(tenant.deviceId);
  // The device has another number by now.
  expect(first).toMatchObject({ recipient: owner.email, actorName: 'Siti', number: null, numberEnds: '7890' });
  expect(second).toMatchObject({ actor: tenant.keyId, number: '6285700001111', isLast: false });
});

test('a link whose lease is lost leaves no trace', async () => {
  const tenant = await fixture().tenant();
  await fixture().handOver(tenant.holder);
  expect(await writeLinked(fixture().database, tenant.holder, '6281234567890')).toBe(false);
  expect(await auditOf(tenant)).toEqual([]);
  expect(
    await fixture().query(`SELECT 1 FROM events WHERE kind = 'device.linked' AND account_id = $1`, [tenant.accountId]),
  ).toEqual([]);
});

test('five readers at once make each notice once, for each owner', async () => {
  const tenant = await fixture().tenant();
  const owners = [await newOwner(tenant), await newOwner(tenant)];
  for (const number of ['6281111111111', '6282222222222', '6283333333333']) await link(tenant, number, 'admin');
  await waitUntil(
    async () => {
      await Promise.all([1, 2, 3, 4, 5].map(() => collectNotices(fixture().database)));
      return (await ofAccount(tenant)).length >= 6;
    },
    { what: 'the notices are made', timeoutMs: 30_000 },
  );
  await Promise.all([1, 2, 3, 4, 5].map(() => collectNotices(fixture().database)));
  const made = (await ofAccount(tenant)).map(({ user_id }) => user_id);
  for (const { id } of owners) expect(made.filter((one) => one === id)).toHaveLength(3);
});

test('a notice is claimed by one at a time, and comes again after a wait that grows', async () => {
  const { database } = fixture();
  const tenant = await fixture().tenant();
  await newOwner(tenant);
  await link(tenant, '6281234567890', 'admin');
  await collected(tenant, 1);
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimAll(tenant.deviceId)));
  const [first] = claims.flat();
  expect(claims.flat()).toHaveLength(1);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 9; attempt++) {
    const [row] = await fixture().query<{ wait: number }>(
      'SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS wait FROM notices WHERE id = $1',
      [first?.id],
    );
    waits.push(row?.wait ?? -1);
    await fixture().query(`UPDATE notices SET due_at = now() - interval '1 second' WHERE id = $1`, [first?.id]);
    // The process that claimed it has died: another one claims it.
    expect(await claimAll(tenant.deviceId)).toMatchObject([{ id: first?.id, isLast: false }]);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  await fixture().query(
    `UPDATE notices SET due_at = now() - interval '1 second', created_at = now() - interval '25 hours' WHERE id = $1`,
    [first?.id],
  );
  expect(await claimAll(tenant.deviceId)).toMatchObject([{ isLast: true }]);
  await endNotice(database, first?.id ?? 0n);
  expect(await ofAccount(tenant)).toEqual([]);
});

test('nobody gets it who is no owner any more, and a deleted device still has its id', async () => {
  const tenant = await fixture().tenant();
  const owner = await newOwner(tenant);
  const demoted = await newOwner(tenant);
  await link(tenant, '6281234567890', demoted.id);
  await collected(tenant, 2);
  await changeMemberRole(fixture().database, tenant.accountId, demoted.id, 'developer');
  await fixture().query(`UPDATE devices SET phone_number = NULL WHERE id = $1`, [tenant.deviceId]);
  const claimed = await claimAll(tenant.deviceId);
  expect(new Set(claimed.map(({ recipient }) => recipient))).toEqual(new Set([owner.email, null]));
  expect(claimed[0]).toMatchObject({ number: null, numberEnds: '7890', deviceId: tenant.deviceId });
});

test('an event that was not read for more than a day makes no notice, and the reader goes on', async () => {
  const tenant = await fixture().tenant();
  await newOwner(tenant);
  await fixture().query(
    `INSERT INTO events (account_id, generation, device_id, subject_id, kind, at)
     VALUES ($1, event_generation(), $2, $2, 'device.linked', now() - interval '25 hours')`,
    [tenant.accountId, tenant.deviceId],
  );
  await link(tenant, '6281234567890', 'admin');
  let tooOld = 0;
  await waitUntil(
    async () => {
      tooOld += (await collectNotices(fixture().database)).tooOld;
      return (await ofAccount(tenant)).length > 0;
    },
    { what: 'the notice of the later event is made', timeoutMs: 30_000 },
  );
  expect(tooOld).toBe(1);
  expect(await ofAccount(tenant)).toHaveLength(1);
  await claimAll(tenant.deviceId);
  await waitUntil(async () => !(await hasNoticeWork(fixture().database)), { what: 'nothing is left to do' });
});
