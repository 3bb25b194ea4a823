/** Tests of notices about paid renewals, about people who joined, and about finished broadcasts. */
import { newId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { NoticesFixture } from '../../test/notices-fixture.js';
import { createPlan } from '../accounts/accounts.js';
import { acceptInvitation, writeInvitation } from '../accounts/invitations.js';
import { ensurePerson } from '../accounts/people.js';
import { openRenewal, settleRenewal } from '../money/renewals.js';
import { chooseNotices, listNotices } from './own-notices.js';

const fixture = useDatabaseFixture({ poolSize: 20 });
const people = new NoticesFixture(fixture);
const page = { limit: 50, cursor: null };

async function pendingRenewal({ accountId }: Tenant): Promise<string> {
  const offer = { name: 'Usaha', durationDays: 30, priceRupiah: 5_000, quota: 10 };
  const planId = await createPlan(fixture().database, offer);
  const plan = { ...offer, planId, type: 'TIME_BASED', maxDevices: 1 };
  const request = { method: 'ordinary', clientRef: null };
  const { id } = await openRenewal(fixture().database, accountId, plan, request, async () => 'x', newId('rnw'));
  return id;
}

const pay = (renewalId: string) =>
  settleRenewal(fixture().database, { renewalId, provider: 'p', providerPayment: renewalId, amountRupiah: 5_000 });

const finish = ({ accountId }: Tenant, id: string, state: string) =>
  fixture().query(
    `INSERT INTO events (account_id, generation, subject_id, kind, state) VALUES ($1, event_generation(), $2, 'broadcast.state_changed', $3)`,
    [accountId, id, state],
  );

test('owners hear of a payment once, however often it is reported, and each payment has its own mail', async () => {
  const tenant = await fixture().tenant();
  const owner = await people.newMember(tenant);
  await people.newMember(tenant, 'developer');
  const first = await pendingRenewal(tenant);
  await Promise.all([pay(first), pay(first), pay(first)]);
  const second = await pendingRenewal(tenant);
  await pay(second);
  await people.collectAll();
  expect(await people.told(tenant)).toMatchObject([
    { kind: 'renewal.paid', subject_id: first, user_id: owner.userId },
    { kind: 'renewal.paid', subject_id: second, user_id: owner.userId },
  ]);
  await people.makeDue(tenant);
  expect((await people.claimAll(tenant)).map(({ items }) => items.map(({ name }) => name))).toEqual([
    ['Usaha'],
    ['Usaha'],
  ]);
});

test('owners hear of a person who joined, who does not', async () => {
  const tenant = await fixture().tenant();
  const owner = await people.newMember(tenant);
  const email = `${newId('usr')}@example.com`;
  const { database } = fixture();
  const joined = await ensurePerson(database, { email, name: 'Budi', passwordHash: 'x', isAdmin: false });
  const written = await writeInvitation(database, { accountId: tenant.accountId, email, role: 'owner' });
  if (written === 'already-member') throw new Error('nobody has joined yet');
  await acceptInvitation(database, written.token, { id: joined, email });
  await people.collectAll();
  expect(await people.told(tenant)).toMatchObject([
    { kind: 'member.joined', subject_id: joined, state: 'owner', user_id: owner.userId },
  ]);
  expect((await listNotices(database, owner, page)).notices).toMatchObject([{ name: 'Budi', state: 'owner' }]);
});

test('developers and owners hear of a finished broadcast, once in an hour, and of no other state', async () => {
  const tenant = await fixture().tenant();
  const [owner, developer] = [await people.newMember(tenant), await people.newMember(tenant, 'developer')];
  await people.newMember(tenant, 'viewer');
  const id = newId('brc');
  for (const state of ['running', 'paused', 'finished', 'running', 'finished', 'cancelled'])
    await finish(tenant, id, state);
  await people.collectAll();
  await finish(tenant, id, 'finished');
  await people.collectAll();
  const told = await people.told(tenant);
  expect(told.map(({ kind, user_id }) => [kind, user_id])).toEqual(
    expect.arrayContaining([
      ['broadcast.finished', owner.userId],
      ['broadcast.finished', developer.userId],
    ]),
  );
  expect(told).toHaveLength(2);
});

test('each of them can be switched off', async () => {
  const tenant = await fixture().tenant();
  const owner = await people.newMember(tenant);
  for (const kind of ['renewal.paid', 'broadcast.finished'] as const)
    await chooseNotices(fixture().database, owner, { kind, mail: false, bell: false });
  await pay(await pendingRenewal(tenant));
  await finish(tenant, newId('brc'), 'finished');
  expect(await people.kindsOf(tenant)).toEqual([]);
});
