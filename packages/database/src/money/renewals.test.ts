import { randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import {
  type ChosenPlan,
  choosePlan,
  createAccount,
  createPlan,
  readAccountInfo,
  readChosenPlan,
} from '../accounts/accounts.js';
import { openRenewal, type Payment, type Renewal, readRenewalByPage, settleRenewal } from './renewals.js';

const fixture = useDatabaseFixture({ poolSize: 12 });

const dayMs = 86_400_000;

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

describe('a payment', () => {
  test('reported 20 times at once opens one period and writes two ledger rows', async () => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => settle(payFor(renewal))));
    expect(outcomes.filter((outcome) => outcome === 'extended')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'already-settled')).toHaveLength(19);
    expect(await periods(accountId)).toHaveLength(1);
    const ledger = await fixture().query(
      'SELECT kind, amount_rupiah FROM ledger_entries WHERE account_id = $1 ORDER BY kind',
      [accountId],
    );
    expect(ledger).toEqual([
      { kind: 'charge', amount_rupiah: -150_000 },
      { kind: 'payment', amount_rupiah: 150_000 },
    ]);
    expect(await stateOf(renewal)).toBe('paid');
  });

  test('for a paid renewal buys nothing and has no charge in the ledger', async () => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    await settle(payFor(renewal));
    const second = { ...payFor(renewal), providerPayment: `second-${renewal.id}` };
    expect(await settle(second)).toBe('already-settled');
    expect(await settle(second)).toBe('already-settled');
    expect(await periods(accountId)).toHaveLength(1);
    const [sum] = await fixture().query<{ total: number; entries: number }>(
      'SELECT sum(amount_rupiah)::int AS total, count(*)::int AS entries FROM ledger_entries WHERE account_id = $1',
      [accountId],
    );
    expect(sum).toEqual({ total: 150_000, entries: 3 });
  });

  test.each(['expired', 'cancelled'])('for an %s renewal counts', async (state) => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    await fixture().query(
      'UPDATE renewals SET state = $2, expires_at = now() - make_interval(secs => 1) WHERE id = $1',
      [renewal.id, state],
    );
    expect(await settle(payFor(renewal))).toBe('extended');
    expect(await stateOf(renewal)).toBe('paid');
    expect(await settle(payFor(renewal))).toBe('already-settled');
    expect(await periods(accountId)).toHaveLength(1);
  });

  test('for a cancelled renewal counts, and the renewal that replaced it can be paid too', async () => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    const second = await open(accountId, { ...plan, priceRupiah: 99_000 });
    expect(await settle(payFor(first))).toBe('extended');
    expect(await settle(payFor(second))).toBe('extended');
    expect(await periods(accountId)).toHaveLength(2);
  });

  test.each([1, 149_999, 150_001])('of the wrong amount (%i) buys nothing and is booked once', async (amount) => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    const wrong = payFor(renewal, { amountRupiah: amount });
    expect(await settle(wrong)).toBe('wrong-amount');
    expect(await settle(wrong)).toBe('wrong-amount');
    expect(await periods(accountId)).toEqual([]);
    const ledger = await fixture().query('SELECT kind, amount_rupiah FROM ledger_entries WHERE account_id = $1', [
      accountId,
    ]);
    expect(ledger).toEqual([{ kind: 'payment', amount_rupiah: amount }]);
    expect(await stateOf(renewal)).toBe('pending');
    expect(await settle(payFor(renewal, { providerPayment: `right-${renewal.id}` }))).toBe('extended');
  });

  test.each([0, -150_000])('of %i is no money: nothing is booked', async (amountRupiah) => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    expect(await settle(payFor(renewal, { amountRupiah }))).toBe('wrong-amount');
    expect(await fixture().count('ledger_entries', accountId)).toBe(0);
  });

  test('that was booked with another amount buys nothing when its amount changes', async () => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    await settle(payFor(renewal, { amountRupiah: 1 }));
    expect(await settle(payFor(renewal))).toBe('wrong-amount');
    expect(await periods(accountId)).toEqual([]);
  });

  test('for a renewal that does not exist is reported as such', async () => {
    expect(await settle({ renewalId: 'rnw_x', provider: 'p', providerPayment: 'x', amountRupiah: 1 })).toBe(
      'unknown-renewal',
    );
  });

  test('that the provider gives to two renewals is booked for the first only', async () => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    await settle(payFor(first, { providerPayment: 'same' }));
    const second = await open(accountId, plan);
    expect(await settle(payFor(second, { providerPayment: 'same' }))).toBe('payment-of-another');
    expect(await settle(payFor(first, { providerPayment: 'same' }))).toBe('already-settled');
    expect(await periods(accountId)).toHaveLength(1);
    expect(await stateOf(second)).toBe('pending');
  });
});

describe('a paid renewal', () => {
  test('extends from the present expiry if that is ahead, with its quota at once', async () => {
    const { accountId, plan } = await customer();
    await settle(payFor(await open(accountId, plan)));
    await settle(payFor(await open(accountId, plan)));
    const [first, second] = await periods(accountId);
    expect((second?.ends_at.getTime() ?? 0) - (first?.ends_at.getTime() ?? 0)).toBe(30 * dayMs);
    expect(second?.starts_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await readAccountInfo(fixture().database, accountId)).toMatchObject({
      daysLeft: 60,
      initialQuota: 1_000,
      remainingQuota: 1_000,
      endsAt: second?.ends_at,
    });
  });

  test('extends from now if the last period has ended', async () => {
    const { accountId, plan } = await customer();
    await fixture().openPeriod(accountId, { quota: 10, endsInHours: -1_000 });
    await settle(payFor(await open(accountId, plan)));
    const [, period] = await periods(accountId);
    expect(Math.abs((period?.ends_at.getTime() ?? 0) - Date.now() - 30 * dayMs)).toBeLessThan(60_000);
    expect(await readAccountInfo(fixture().database, accountId)).toMatchObject({ daysLeft: 30, remainingQuota: 500 });
  });

  test('has the plan that was shown, even if the plan has changed since', async () => {
    const { accountId, plan } = await customer();
    const renewal = await open(accountId, plan);
    await fixture().query('UPDATE plans SET price_rupiah = 1, quota = 1, duration_days = 1 WHERE id = $1', [
      plan.planId,
    ]);
    expect(await settle(payFor(renewal))).toBe('extended');
    expect(await periods(accountId)).toMatchObject([{ initial_quota: 500 }]);
  });

  test('of an unlimited plan opens a period without a quota', async () => {
    const { accountId, plan } = await customer({ quota: null });
    await settle(payFor(await open(accountId, plan)));
    expect(await readAccountInfo(fixture().database, accountId)).toMatchObject({
      initialQuota: null,
      remainingQuota: null,
    });
  });
});

describe('a new renewal', () => {
  test('of the same plan at the same price returns the pending one, also to ten requests at once', async () => {
    const { accountId, plan } = await customer();
    const renewals = await Promise.all(Array.from({ length: 10 }, () => open(accountId, plan)));
    expect(new Set(renewals.map((renewal) => renewal.id)).size).toBe(1);
    expect(new Set(renewals.map((renewal) => renewal.paymentUrl)).size).toBe(1);
  });

  test.each<[string, (plan: ChosenPlan) => ChosenPlan]>([
    ['price', (plan) => ({ ...plan, priceRupiah: plan.priceRupiah + 1 })],
    ['duration', (plan) => ({ ...plan, durationDays: 7 })],
    ['quota', (plan) => ({ ...plan, quota: null })],
  ])('at another %s cancels the pending one', async (_what, change) => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    const second = await open(accountId, change(plan));
    expect(second.id).not.toBe(first.id);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['cancelled', 'pending']);
  });

  test('after the old one has expired or was paid is another one', async () => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    await fixture().query('UPDATE renewals SET expires_at = now() - make_interval(secs => 1) WHERE id = $1', [
      first.id,
    ]);
    const second = await open(accountId, plan);
    await settle(payFor(second));
    const third = await open(accountId, plan);
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toEqual(['expired', 'paid', 'pending']);
  });

  test('gets its page while nothing is locked: a payment of the account is settled at the same time', async () => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    const second = await open(accountId, { ...plan, priceRupiah: 99_000 }, async () => {
      expect(await settle(payFor(first))).toBe('extended');
      return 'https://pay.example/second';
    });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['paid', 'pending']);
  });

  test('without a page from the provider stores nothing and cancels nothing', async () => {
    const { accountId, plan } = await customer();
    const first = await open(accountId, plan);
    const failing = open(accountId, { ...plan, priceRupiah: 1 }, () => Promise.reject(new Error('provider is down')));
    await expect(failing).rejects.toThrow('provider is down');
    expect(await stateOf(first)).toBe('pending');
    expect(await fixture().query('SELECT id FROM renewals WHERE account_id = $1', [accountId])).toHaveLength(1);
  });
});

describe('a repeat of a named request', () => {
  const named = (accountId: AccountId, plan: ChosenPlan, name: string | null) => open(accountId, plan, undefined, name);

  test('returns the first renewal, pending or paid, also to ten requests at once', async () => {
    const { accountId, plan } = await customer();
    const renewals = await Promise.all(Array.from({ length: 10 }, () => named(accountId, plan, 'a')));
    const [first] = renewals;
    if (first === undefined) throw new Error('no renewal');
    expect(new Set(renewals.map(({ id }) => id)).size).toBe(1);
    await settle(payFor(first));
    expect(await named(accountId, plan, 'a')).toMatchObject({ id: first.id, state: 'paid' });
    const next = await named(accountId, plan, 'b');
    expect(next.id).not.toBe(first.id);
    expect((await named((await customer()).accountId, plan, 'a')).id).not.toBe(first.id);
  });

  test('holds for a renewal that somebody else had made and that is paid by then', async () => {
    const { accountId, plan } = await customer();
    const byHand = await open(accountId, plan);
    expect((await named(accountId, plan, 'a')).id).toBe(byHand.id);
    await settle(payFor(byHand));
    expect((await named(accountId, plan, 'a')).id).toBe(byHand.id);
  });

  test.each(['expired', 'cancelled'])('makes a new one if the first is %s', async (state) => {
    const { accountId, plan } = await customer();
    const first = await named(accountId, plan, 'a');
    await fixture().query('UPDATE renewals SET state = $2 WHERE id = $1', [first.id, state]);
    const second = await named(accountId, plan, 'a');
    expect(second).toMatchObject({ state: 'pending' });
    expect(second.id).not.toBe(first.id);
    await settle(payFor(second));
    expect((await named(accountId, plan, 'a')).id).toBe(second.id);
  });

  test('of another plan cancels the pending one and keeps the name', async () => {
    const { accountId, plan } = await customer();
    const first = await named(accountId, plan, 'a');
    const second = await named(accountId, { ...plan, priceRupiah: plan.priceRupiah + 1 }, 'a');
    expect(await stateOf(first)).toBe('cancelled');
    await settle(payFor(second));
    expect((await named(accountId, plan, 'a')).id).toBe(second.id);
  });
});

test('a payment page is found only by its secret part, and shows when it has expired', async () => {
  const { accountId, plan } = await customer();
  const token = randomBytes(16).toString('hex');
  const renewal = await openRenewal(
    fixture().database,
    accountId,
    plan,
    { method: 'ordinary', clientRef: null },
    async () => 'https://pay.example',
    token,
  );
  expect(await readRenewalByPage(fixture().database, token)).toMatchObject({ id: renewal.id, state: 'pending' });
  expect(await readRenewalByPage(fixture().database, renewal.id)).toBeNull();
  await fixture().query('UPDATE renewals SET expires_at = now() - make_interval(secs => 1) WHERE id = $1', [
    renewal.id,
  ]);
  expect(await readRenewalByPage(fixture().database, token)).toMatchObject({ state: 'expired' });
});
