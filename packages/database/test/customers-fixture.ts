/** Customers who renew and pay, for the tests of a file. */
import { randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { type ChosenPlan, choosePlan, createAccount, createPlan, readChosenPlan } from '../src/accounts/accounts.js';
import { openRenewal, type Payment, type Renewal, settleRenewal } from '../src/money/renewals.js';
import type { DatabaseFixture } from './database-fixture.js';

export function useCustomers(fixture: () => DatabaseFixture) {
  async function customer(plan: Partial<ChosenPlan> = {}): Promise<{ accountId: AccountId; plan: ChosenPlan }> {
    const accountId = await createAccount(fixture().database, 'test');
    const name = `plan ${randomBytes(4).toString('hex')}`;
    const planId = await createPlan(fixture().database, {
      name,
      durationDays: 30,
      priceRupiah: 150_000,
      quota: 500,
      ...plan,
    });
    await choosePlan(fixture().database, accountId, planId);
    const chosen = await readChosenPlan(fixture().database, accountId);
    if (chosen === null) throw new Error('no plan was chosen');
    return { accountId, plan: chosen };
  }

  function open(
    accountId: AccountId,
    plan: ChosenPlan,
    openPage = async () => 'https://pay.example/x',
    clientRef: string | null = null,
  ): Promise<Renewal> {
    return openRenewal(
      fixture().database,
      accountId,
      plan,
      { method: 'ordinary', clientRef },
      openPage,
      randomBytes(8).toString('hex'),
    );
  }

  const payFor = (renewal: Renewal, changes: Partial<Payment> = {}): Payment => ({
    renewalId: renewal.id,
    provider: 'sandbox',
    providerPayment: `p-${renewal.id}`,
    amountRupiah: renewal.priceRupiah,
    ...changes,
  });

  const settle = (payment: Payment) => settleRenewal(fixture().database, payment);
  const periods = (accountId: AccountId) =>
    fixture().query<{ starts_at: Date; ends_at: Date; initial_quota: number }>(
      'SELECT * FROM subscription_periods WHERE account_id = $1 ORDER BY ends_at',
      [accountId],
    );
  const stateOf = async (renewal: Renewal) =>
    (await fixture().query<{ state: string }>('SELECT state FROM renewals WHERE id = $1', [renewal.id]))[0]?.state;

  return { customer, open, payFor, settle, periods, stateOf };
}
