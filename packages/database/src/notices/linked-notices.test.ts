/** Tests of the way from a linked number to the notices of the owners. */
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { NoticesFixture } from '../../test/notices-fixture.js';
import { waitUntil } from '@kurir/testing';
import { changeMemberRole } from '../accounts/members.js';
import { requestLink } from '../devices/devices.js';
import { writeUnlinked } from '../sessions/device-session.js';
import { writeLinked } from '../sessions/write-linked.js';
import { collectNotices, hasNoticeEvents } from './collect-notices.js';
import { endNotices, hasDueNotices } from './send-notices.js';

const fixture = useDatabaseFixture({ poolSize: 20 });
const people = new NoticesFixture(fixture);

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

const linksTold = async (tenant: Tenant) => (await people.told(tenant)).filter(({ kind }) => kind === 'device.linked');

test('a number that the device did not have before is audited and noticed, the same number is not', async () => {
  const tenant = await fixture().tenant();
  const owner = await people.newMember(tenant);
  const developer = await people.newMember(tenant, 'developer');
  await link(tenant, '6281234567890', developer.userId);
  await link(tenant, '6281234567890', owner.userId);
  await link(tenant, '6285700001111', tenant.keyId);
  expect(await auditOf(tenant)).toEqual([
    { actor: developer.userId, subject: tenant.deviceId, detail: { number_ends: '7890' } },
    { actor: tenant.keyId, subject: tenant.deviceId, detail: { number_ends: '1111' } },
  ]);
  await people.collectAll();
  expect(await linksTold(tenant)).toMatchObject([{ user_id: owner.userId }, { user_id: owner.userId }]);
  const [first, second] = await people.claimAll(tenant);
  // The device has another number by now.
  expect(first).toMatchObject({
    recipient: owner.email,
    items: [{ actorName: 'Siti', number: null, numberEnds: '7890' }],
  });
  expect(second).toMatchObject({ items: [{ actor: tenant.keyId, number: '6285700001111', isLast: false }] });
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
  const owners = [await people.newMember(tenant), await people.newMember(tenant)];
  for (const number of ['6281111111111', '6282222222222', '6283333333333']) await link(tenant, number, 'admin');
  await waitUntil(
    async () => {
      await Promise.all([1, 2, 3, 4, 5].map(() => collectNotices(fixture().database)));
      return (await linksTold(tenant)).length >= 6;
    },
    { what: 'the notices are made', timeoutMs: 30_000 },
  );
  await Promise.all([1, 2, 3, 4, 5].map(() => collectNotices(fixture().database)));
  const made = (await linksTold(tenant)).map(({ user_id }) => user_id);
  for (const { userId } of owners) expect(made.filter((one) => one === userId)).toHaveLength(3);
});

test('a notice is claimed by one at a time, and comes again after a wait that grows', async () => {
  const { database } = fixture();
  const tenant = await fixture().tenant();
  await people.newMember(tenant);
  await link(tenant, '6281234567890', 'admin');
  await people.collectAll();
  const claims = (await Promise.all([1, 2, 3, 4].map(() => people.claimAll(tenant)))).flat();
  expect(claims).toHaveLength(1);
  const id = claims[0]?.items[0]?.id ?? 0n;
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 9; attempt++) {
    const [row] = await fixture().query<{ wait: number }>(
      'SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS wait FROM notices WHERE id = $1',
      [id],
    );
    waits.push(row?.wait ?? -1);
    await people.makeDue(tenant);
    // The process that claimed it has died: another one claims it.
    expect(await people.claimAll(tenant)).toMatchObject([{ items: [{ id, isLast: false }] }]);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  await fixture().query(
    `UPDATE notices SET due_at = now() - interval '1 second', created_at = now() - interval '25 hours' WHERE id = $1`,
    [id],
  );
  expect(await people.claimAll(tenant)).toMatchObject([{ items: [{ isLast: true }] }]);
  await endNotices(database, [id], 'sent');
  expect(await hasDueNotices(database)).toBe(false);
  expect(await linksTold(tenant)).toMatchObject([{ due_at: null, in_bell: true }]);
});

test('without a mail server a notice is in the bell, and a day later no mail goes out any more', async () => {
  const tenant = await fixture().tenant();
  await people.newMember(tenant);
  await link(tenant, '6281234567890', 'admin');
  await people.collectAll();
  await fixture().query(`UPDATE notices SET due_at = now() - interval '25 hours' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  expect(await people.claimAll(tenant)).toEqual([]);
  expect(await linksTold(tenant)).toMatchObject([{ in_bell: true }]);
});

test('nobody gets it who is no owner any more, and a deleted device still has its id', async () => {
  const tenant = await fixture().tenant();
  const owner = await people.newMember(tenant);
  const demoted = await people.newMember(tenant);
  await link(tenant, '6281234567890', demoted.userId);
  await people.collectAll();
  await changeMemberRole(fixture().database, tenant.accountId, demoted.userId, 'developer');
  await fixture().query(`UPDATE devices SET phone_number = NULL WHERE id = $1`, [tenant.deviceId]);
  const claimed = await people.claimAll(tenant);
  expect(new Set(claimed.map(({ recipient }) => recipient))).toEqual(new Set([owner.email, null]));
  expect(claimed[0]?.items).toMatchObject([{ number: null, numberEnds: '7890', subject: tenant.deviceId }]);
});

test('an event that was not read for more than a day makes no notice, and the reader goes on', async () => {
  const tenant = await fixture().tenant();
  await people.newMember(tenant);
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
      return (await linksTold(tenant)).length > 0;
    },
    { what: 'the notice of the later event is made', timeoutMs: 30_000 },
  );
  expect(tooOld).toBe(1);
  expect(await linksTold(tenant)).toHaveLength(1);
  await people.collectAll();
  expect(await hasNoticeEvents(fixture().database)).toBe(false);
});
