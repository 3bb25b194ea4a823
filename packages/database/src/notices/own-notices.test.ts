/** Tests of notices about money and webhooks, of the choices of a member, and of the list of the bell. */
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { NoticesFixture } from '../../test/notices-fixture.js';
import { removeMember } from '../accounts/members.js';
import { tellPlanEnds } from '../money/tell-plan-ends.js';
import { exportPerson } from '../reports/export-rows.js';
import { ageOutSmallTables } from '../retention/age-out.js';
import { erasePerson } from '../retention/erase-person.js';
import { chooseNotices, listNotices, markNotices, readNoticeChoices } from './own-notices.js';

const fixture = useDatabaseFixture({ poolSize: 20 });
const people = new NoticesFixture(fixture);
const page = { limit: 50, cursor: null };

const useQuota = ({ accountId }: Tenant, taken: number) =>
  fixture().query('UPDATE subscription_periods SET taken_quota = $2 WHERE account_id = $1', [accountId, taken]);

const webhookId = 'whk_01kajp4m3s5y8zt0v6qk2c9hbe';

const tellWebhook = ({ accountId }: Tenant, kind: string, state: string, sequence: number | null = null) =>
  fixture().query(
    `INSERT INTO events (account_id, generation, subject_id, sequence, kind, state) VALUES ($1, event_generation(), $2, $4, $3, $5)`,
    [accountId, webhookId, kind, sequence, state],
  );

test('owners hear of the quota at 80 and 100 per cent and of the end of the plan, developers do not', async () => {
  const tenant = await fixture().tenant({ quota: 10 });
  const owner = await people.newMember(tenant);
  await people.newMember(tenant, 'developer');
  await useQuota(tenant, 8);
  await useQuota(tenant, 10);
  await useQuota(tenant, 7);
  await useQuota(tenant, 9);
  await fixture().query(`UPDATE subscription_periods SET ends_at = now() + interval '6 days' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await tellPlanEnds(fixture().database);
  await fixture().query(`UPDATE subscription_periods SET ends_at = now() + interval '6 hours' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await tellPlanEnds(fixture().database);
  await people.collectAll();
  expect((await people.told(tenant)).map(({ kind, state, user_id }) => [kind, state, user_id])).toEqual([
    ['quota.low', '80', owner.userId],
    ['quota.exhausted', '100', owner.userId],
    ['plan.expiring', '7', owner.userId],
    ['plan.expiring', '1', owner.userId],
  ]);
});

test('a failing endpoint is told at one hour and at a day, and its end with the reason', async () => {
  const tenant = await fixture().tenant();
  const developer = await people.newMember(tenant, 'developer');
  await tellWebhook(tenant, 'webhook.failing', '1');
  await tellWebhook(tenant, 'webhook.failing', '1');
  await tellWebhook(tenant, 'webhook.failing', '24');
  await tellWebhook(tenant, 'webhook.disabled', 'only_failures', 1);
  await tellWebhook(tenant, 'webhook.recovered', 'enabled', 2);
  await people.collectAll();
  expect((await people.told(tenant)).map(({ kind, state }) => [kind, state])).toEqual([
    ['webhook.failing', '1'],
    ['webhook.failing', '24'],
    ['webhook.disabled', 'only_failures'],
  ]);
  expect((await people.told(tenant))[0]?.subject_id).toBe(webhookId);
  await fixture().query(`INSERT INTO webhooks (id, account_id, url) VALUES ($1, $2, 'https://hooks.example/x')`, [
    webhookId,
    tenant.accountId,
  ]);
  expect((await listNotices(fixture().database, developer, page)).notices[0]?.name).toBe('https://hooks.example/x');
  await people.makeDue(tenant);
  const claimed = await people.claimAll(tenant);
  expect(claimed.map(({ items }) => items.map(({ name }) => name))).toContainEqual(['https://hooks.example/x']);
});

test('a kind that is switched off does not come, and mails about security come all the same', async () => {
  const tenant = await fixture().tenant({ quota: 10 });
  const [quiet, bellOnly, mailOnly] = [
    await people.newMember(tenant),
    await people.newMember(tenant),
    await people.newMember(tenant),
  ];
  const choose = (member: typeof quiet, mail: boolean, bell: boolean) =>
    chooseNotices(fixture().database, member, { kind: 'quota.low', mail, bell });
  await choose(quiet, false, false);
  await choose(bellOnly, false, true);
  await choose(mailOnly, true, false);
  await useQuota(tenant, 8);
  await people.collectAll();
  expect(
    (await people.told(tenant)).map(({ user_id, in_bell, due_at }) => [user_id, in_bell, due_at !== null]),
  ).toEqual(
    expect.arrayContaining([
      [bellOnly.userId, true, false],
      [mailOnly.userId, false, true],
    ]),
  );
  expect(await people.told(tenant)).toHaveLength(2);
  const linked = { kind: 'device.linked', mail: false, bell: false } as const;
  expect(await chooseNotices(fixture().database, quiet, linked)).toContainEqual({
    ...linked,
    mail: true,
    always: true,
  });
  await fixture().query(
    `INSERT INTO events (account_id, generation, device_id, subject_id, kind) VALUES ($1, event_generation(), $2, $2, 'device.linked')`,
    [tenant.accountId, tenant.deviceId],
  );
  await people.collectAll();
  const toQuiet = (await people.told(tenant)).filter(({ user_id }) => user_id === quiet.userId);
  expect(toQuiet).toMatchObject([{ kind: 'device.linked', in_bell: false, due_at: expect.any(Date) as Date }]);
});

test('a choice holds in one account, can be taken back, and shows only the kinds of the role', async () => {
  const [one, two] = [await fixture().tenant(), await fixture().tenant()];
  const owner = await people.newMember(one);
  const { database } = fixture();
  await fixture().query(`INSERT INTO members (account_id, user_id, role) VALUES ($1, $2, 'developer')`, [
    two.accountId,
    owner.userId,
  ]);
  await chooseNotices(database, owner, { kind: 'device.banned', mail: false, bell: false });
  await chooseNotices(database, owner, { kind: 'device.banned', mail: false, bell: false });
  const elsewhere = { accountId: two.accountId, userId: owner.userId };
  const chosen = async (member: typeof elsewhere) =>
    (await readNoticeChoices(database, member)).find(({ kind }) => kind === 'device.banned');
  expect(await chosen(owner)).toMatchObject({ mail: false, bell: false });
  expect(await chosen(elsewhere)).toMatchObject({ mail: true, bell: true });
  expect((await readNoticeChoices(database, elsewhere)).map(({ kind }) => kind)).not.toContain('quota.low');
  await chooseNotices(database, owner, { kind: 'device.banned', mail: true, bell: true });
  expect(await chosen(owner)).toMatchObject({ mail: true, bell: true });
});

test('the bell pages newest first, counts what is unread up to a hundred, and marks what is read', async () => {
  const { database } = fixture();
  const tenant = await fixture().tenant();
  const [member, other] = [await people.newMember(tenant), await people.newMember(tenant)];
  await fixture().query(
    `INSERT INTO notices (account_id, user_id, kind, subject_id, at)
     SELECT $1, $2, 'device.banned', $3, now() FROM generate_series(1, 150)`,
    [tenant.accountId, member.userId, tenant.deviceId],
  );
  const first = await listNotices(database, member, { limit: 100, cursor: null });
  expect(first).toMatchObject({ unread: 100, notices: { length: 100 } });
  const second = await listNotices(database, member, { limit: 100, cursor: first.nextCursor });
  expect(second).toMatchObject({ nextCursor: null, notices: { length: 50 } });
  const id = String(second.notices[0]?.id);
  await markNotices(database, other, { id, older: true });
  expect(await markNotices(database, member, { id, older: true })).toBe(100);
  expect(await markNotices(database, member, { id: String(first.notices[0]?.id), older: false })).toBe(99);
  expect((await listNotices(database, member, page)).notices[0]).toMatchObject({ isRead: true, name: 'd' });
  expect(await listNotices(database, other, page)).toMatchObject({ unread: 0, notices: [] });
  const changed = `SELECT 1 FROM events WHERE account_id = $1 AND kind = 'notice.changed'`;
  expect(await fixture().query(changed, [tenant.accountId])).toHaveLength(2);
  expect((await listNotices(database, member, { limit: 5, cursor: 'rubbish' })).notices).toEqual([]);
});

test('a person takes notices and choices away in the export', async () => {
  const { database } = fixture();
  const tenant = await fixture().tenant({ quota: 10 });
  const member = await people.newMember(tenant);
  await people.newMember(tenant);
  await chooseNotices(database, member, { kind: 'plan.expiring', mail: false, bell: true });
  await useQuota(tenant, 8);
  await people.collectAll();
  const lines: { kind: string }[] = [];
  for await (const page of exportPerson(database, member.userId))
    lines.push(...page.map((line) => JSON.parse(line) as { kind: string }));
  expect(lines.filter(({ kind }) => kind === 'notice')).toMatchObject([
    { notice: 'quota.low', state: '80', account_id: tenant.accountId, read_at: null },
  ]);
  expect(lines.find(({ kind }) => kind === 'membership')).toMatchObject({ mail_off: ['plan.expiring'], bell_off: [] });
});

test('notices go with the membership, with the person, and after thirty days', async () => {
  const { database } = fixture();
  const tenant = await fixture().tenant({ quota: 10 });
  const [stays, leaves, erased] = [
    await people.newMember(tenant),
    await people.newMember(tenant),
    await people.newMember(tenant),
  ];
  await useQuota(tenant, 8);
  expect(await people.kindsOf(tenant)).toHaveLength(3);
  await removeMember(database, tenant.accountId, leaves.userId);
  await erasePerson(database, erased.email, { actor: 'admin' });
  expect((await people.told(tenant)).map(({ user_id }) => user_id)).toEqual([stays.userId]);
  expect((await people.claimAll(tenant)).map(({ recipient }) => recipient)).toEqual([stays.email]);
  await fixture().query(`UPDATE notices SET created_at = now() - interval '31 days' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await ageOutSmallTables(database, new AbortController().signal);
  expect(await people.told(tenant)).toEqual([]);
});
