/** The events of an account: its quota, the end of its plan, its payments. */
import { randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { choosePlan, createAccount, createPlan, readChosenPlan } from '../accounts/accounts.js';
import { openRenewal, settleRenewal } from './renewals.js';
import { tellPlanEnds } from './tell-plan-ends.js';

const fixture = useDatabaseFixture({ poolSize: 6 });

const told = async (accountId: AccountId): Promise<string[]> =>
  (
    await fixture().query<{ kind: string; state: string | null; sequence: number }>(
      `SELECT kind, state, sequence FROM events WHERE account_id = $1 AND sequence IS NOT NULL ORDER BY seq`,
      [accountId],
    )
  ).map(({ kind, state, sequence }) => `${sequence} ${kind} ${state ?? ''}`.trim());

async function account(): Promise<AccountId> {
  return createAccount(fixture().database, 'test');
}

/** Adds a period of `days` that ends in `endsIn` days. */
async function addPeriod(accountId: AccountId, quota: number | null, endsIn = 20, days = 30): Promise<string> {
  const [row] = await fixture().query<{ id: string }>(
    `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota)
     VALUES (gen_random_uuid(), $1, 'test', 'TIME_BASED', now() + make_interval(days => $3::int - $4::int),
       now() + make_interval(days => $3::int) - interval '1 minute', $2) RETURNING id`,
    [accountId, quota, endsIn, days],
  );
  return row?.id ?? '';
}

const take = (periodId: string, count: number) =>
  fixture().query('UPDATE subscription_periods SET taken_quota = taken_quota + $2 WHERE id = $1', [periodId, count]);

describe('the quota', () => {
  test('tells 80 and 100 percent once, although failed messages give some back', async () => {
    const accountId = await account();
    const period = await addPeriod(accountId, 10);
    await take(period, 7);
    expect(await told(accountId)).toEqual([]);
    await take(period, 1);
    await take(period, -1);
    await take(period, 1);
    expect(await told(accountId)).toEqual(['1 quota.low 80']);
    await take(period, 2);
    await take(period, -5);
    await take(period, 5);
    expect(await told(accountId)).toEqual(['1 quota.low 80', '2 quota.exhausted 100']);
  });

  test('that is used up at once tells only that', async () => {
    const accountId = await account();
    await take(await addPeriod(accountId, 10), 10);
    expect(await told(accountId)).toEqual(['1 quota.exhausted 100']);
  });

  test('of one period tells nothing while another open period has some', async () => {
    const accountId = await account();
    const first = await addPeriod(accountId, 10, 5);
    const second = await addPeriod(accountId, 10, 25);
    await take(first, 10);
    expect(await told(accountId)).toEqual([]);
    await take(second, 8);
    expect(await told(accountId)).toEqual(['1 quota.low 80']);
  });

  test('that is unlimited tells nothing', async () => {
    const accountId = await account();
    await take(await addPeriod(accountId, null), 1_000);
    expect(await told(accountId)).toEqual([]);
  });

  test('is told once by messages of two connections', async () => {
    const accountId = await account();
    const period = await addPeriod(accountId, 100);
    await Promise.all(Array.from({ length: 100 }, () => take(period, 1)));
    expect(await told(accountId)).toEqual(['1 quota.low 80', '2 quota.exhausted 100']);
  });
});

describe('the end of a plan', () => {
  const setEnd = (periodId: string, endsIn: number) =>
    fixture().query(
      `UPDATE subscription_periods SET ends_at = now() + make_interval(days => $2) - interval '1 minute' WHERE id = $1`,
      [periodId, endsIn],
    );
  const tellTwiceAtOnce = () => Promise.all([tellPlanEnds(fixture().database), tellPlanEnds(fixture().database)]);

  test('is told seven days and one day before, each once', async () => {
    const accountId = await account();
    const period = await addPeriod(accountId, null, 9, 30);
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual([]);
    await setEnd(period, 7);
    await tellTwiceAtOnce();
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual(['1 plan.expiring 7']);
    await setEnd(period, 1);
    await tellTwiceAtOnce();
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual(['1 plan.expiring 7', '2 plan.expiring 1']);
    await setEnd(period, 0);
    await tellTwiceAtOnce();
    expect(await told(accountId)).toHaveLength(2);
  });

  test('is not told while a later period is paid', async () => {
    const accountId = await account();
    await addPeriod(accountId, null, 1, 30);
    await addPeriod(accountId, null, 31, 30);
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual([]);
  });

  test('of a trial is told on its last day only', async () => {
    const accountId = await account();
    const period = await addPeriod(accountId, null, 7, 7);
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual([]);
    await setEnd(period, 1);
    await tellTwiceAtOnce();
    expect(await told(accountId)).toEqual(['1 plan.expiring 1']);
  });
});

test('a paid renewal is told once, however often the provider says so', async () => {
  const { database } = fixture();
  const accountId = await account();
  const name = `plan ${randomBytes(4).toString('hex')}`;
  await choosePlan(
    database,
    accountId,
    await createPlan(database, { name, durationDays: 30, priceRupiah: 1_000, quota: 5 }),
  );
  const plan = await readChosenPlan(database, accountId);
  if (plan === null) throw new Error('no plan was chosen');
  const page = async () => 'https://pay.example/x';
  const renewal = await openRenewal(
    database,
    accountId,
    plan,
    { method: 'ordinary', clientRef: null },
    page,
    randomBytes(8).toString('hex'),
  );
  const payment = { renewalId: renewal.id, provider: 'sandbox', providerPayment: 'p', amountRupiah: 1_000 };
  await Promise.all([settleRenewal(database, payment), settleRenewal(database, payment)]);
  expect(await told(accountId)).toEqual(['1 renewal.paid']);
});
