/** Tests of how a renewal is made and found. */
import { randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useCustomers } from '../../test/customers-fixture.js';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import type { ChosenPlan } from '../accounts/accounts.js';
import { readRenewalByPage } from './payable-renewal.js';
import { openRenewal } from './renewals.js';

const fixture = useDatabaseFixture({ poolSize: 12 });
const { customer, open, payFor, settle, stateOf } = useCustomers(fixture);

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
