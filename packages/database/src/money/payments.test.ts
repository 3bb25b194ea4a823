/** Tests of what a payment buys. */
import { describe, expect, test } from 'vitest';
import { useCustomers } from '../../test/customers-fixture.js';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { readAccountInfo } from '../accounts/accounts.js';

const fixture = useDatabaseFixture({ poolSize: 12 });
const { customer, open, payFor, settle, periods, stateOf } = useCustomers(fixture);

const dayMs = 86_400_000;

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
    const { provider } = payFor(renewal);
    expect(
      await fixture().query('SELECT actor, action, subject FROM audit_log WHERE account_id = $1', [accountId]),
    ).toEqual([{ actor: provider, action: 'renewal.paid', subject: renewal.id }]);
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
