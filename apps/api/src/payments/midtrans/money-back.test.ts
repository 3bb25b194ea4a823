import { listLedger, readAudit } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Customer } from '../../../test/customer-fixture.js';
import type { FakeMidtrans, Transaction } from '../../../test/fake-midtrans.js';
import { type PayingByMidtrans, startPayingByMidtrans } from '../../../test/paying-by-midtrans.js';
import type { TestApi } from '../../../test/test-api.js';

let paying: PayingByMidtrans;
let t: TestApi;
let midtrans: FakeMidtrans;
beforeAll(async () => {
  paying = await startPayingByMidtrans();
  ({ t, midtrans } = paying);
});
afterAll(() => paying.close());

const renewal = () => paying.renewal();
const booked = (customer: Customer) => paying.booked(customer);

async function paid(status = 'settlement') {
  const { customer, transaction } = await renewal();
  transaction.status = status;
  await midtrans.notify(transaction.orderId);
  expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
  return { customer, transaction };
}

/** Changes the transaction and sends five parallel notifications. */
async function changeAndNotify(transaction: Transaction, changes: Partial<Transaction>): Promise<void> {
  Object.assign(transaction, changes);
  const answers = await Promise.all(Array.from({ length: 5 }, () => midtrans.notify(transaction.orderId)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
}

async function returned({ accountId }: Customer, { orderId }: Transaction) {
  const ledger = await listLedger(t.database, { accountId, unboughtOnly: false });
  const audit = await readAudit(t.database, null, { limit: 200, cursor: null });
  return {
    ledger: ledger
      .filter(({ amountRupiah, kind }) => kind !== 'charge' && amountRupiah < 0)
      .map(({ kind, amountRupiah }) => [kind, amountRupiah]),
    audit: audit.entries
      .filter(({ subject, actor, action }) => subject === orderId && actor === 'midtrans' && action !== 'renewal.paid')
      .map(({ actor, action }) => `${actor} ${action}`),
  };
}

const inFull: readonly (readonly [status: string, kind: string, action: string, paidBy: string])[] = [
  ['refund', 'refund', 'payment.refunded', 'settlement'],
  ['chargeback', 'chargeback', 'payment.charged_back', 'settlement'],
  ['deny', 'refund', 'payment.refunded', 'settlement'],
  ['cancel', 'refund', 'payment.refunded', 'capture'],
];
test.for(inFull)(
  'a full return of a payment is booked once and logged, and the bought period stays: %s',
  async ([status, kind, action, paidBy]) => {
    const { customer, transaction } = await paid(paidBy);
    await changeAndNotify(transaction, { status });
    expect(await returned(customer, transaction)).toEqual({
      ledger: [[kind, -150_000]],
      audit: [`midtrans ${action}`],
    });
    // An older notification comes late, and the query returns that older status, too.
    await changeAndNotify(transaction, { status: 'settlement' });
    expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
    expect(await returned(customer, transaction)).toMatchObject({ ledger: [[kind, -150_000]] });
  },
);

test('a return in parts is booked part by part, and never exceeds the payment', async () => {
  const { customer, transaction } = await paid();
  await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000] });
  await changeAndNotify(transaction, { refunds: [50_000, 20_000] });
  await changeAndNotify(transaction, { refunds: [50_000] });
  await changeAndNotify(transaction, { status: 'chargeback' });
  await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000, 20_000, 900_000] });
  const { ledger, audit } = await returned(customer, transaction);
  expect(ledger).toEqual([
    ['chargeback', -80_000],
    ['refund', -20_000],
    ['refund', -50_000],
  ]);
  expect(audit).toEqual(['midtrans payment.charged_back', 'midtrans payment.refunded', 'midtrans payment.refunded']);
});

test('a partial chargeback is booked as such after an earlier refund', async () => {
  const { customer, transaction } = await paid();
  await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000] });
  await changeAndNotify(transaction, { status: 'partial_chargeback', refunds: [50_000, 20_000] });
  expect(await returned(customer, transaction)).toEqual({
    ledger: [
      ['chargeback', -20_000],
      ['refund', -50_000],
    ],
    audit: ['midtrans payment.charged_back', 'midtrans payment.refunded'],
  });
});

const odd: readonly (readonly [name: string, odd: Transaction['odd']])[] = [
  ['in numbers', { refunds: [{ refund_amount: 30_000 }, { refund_amount: 20_000 }] }],
  ['in a total next to an empty list', { refunds: [], refund_amount: '50000.00' }],
  ['in a total next to a list that sums to zero', { refunds: [{ refund_amount: '0.00' }], refund_amount: '50000.00' }],
  ['in a total next to a refund without an amount', { refunds: [{ reason: 'x' }], refund_amount: 50_000 }],
  ['next to a total that is not an amount', { refunds: [{ refund_amount: '50000.00' }], refund_amount: null }],
];
test.for(odd)('a partial return is booked when Midtrans gives the amount %s', async ([, odd]) => {
  const { customer, transaction } = await paid();
  await changeAndNotify(transaction, { status: 'partial_refund', odd });
  expect(await returned(customer, transaction)).toMatchObject({ ledger: [['refund', -50_000]] });
});

const errorsOf = ({ orderId }: Transaction) =>
  t.logs.filter(({ level, fields }) => level === 'error' && fields['renewalId'] === orderId).map(({ text }) => text);

const unclear: readonly (readonly [name: string, odd: Transaction['odd']])[] = [
  ['Midtrans gives no amount', {}],
  ['the list is empty', { refunds: [] }],
  ['the list and the total are zero', { refunds: [{ refund_amount: '0.00' }], refund_amount: '0.00' }],
  ['a refund has no amount', { refunds: [{ refund_amount: '50000.00' }, { reason: 'x' }] }],
  ['the list is not a list', { refunds: 'x', refund_amount: 'some' }],
];
test.for(unclear)('an unknown returned amount is not guessed, and an error is logged, when %s', async ([, odd]) => {
  for (const status of ['partial_refund', 'partial_chargeback']) {
    const { customer, transaction } = await paid();
    await changeAndNotify(transaction, { status, odd });
    expect(await returned(customer, transaction)).toEqual({ ledger: [], audit: [] });
    expect(errorsOf(transaction)[0]).toContain('not booked');
  }
});

test('a chargeback whose list has only the earlier refund is logged as an error', async () => {
  const { customer, transaction } = await paid();
  await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000] });
  const before = errorsOf(transaction).length;
  await changeAndNotify(transaction, { status: 'partial_chargeback' });
  expect(await returned(customer, transaction)).toMatchObject({ ledger: [['refund', -50_000]] });
  expect(errorsOf(transaction)[before]).toContain('not booked');
});

describe('a return without an earlier notification of its payment', () => {
  const back: readonly (readonly [status: string, kind: string, rupiah: number])[] = [
    ['refund', 'refund', 150_000],
    ['partial_refund', 'refund', 50_000],
    ['chargeback', 'chargeback', 150_000],
    ['partial_chargeback', 'chargeback', 50_000],
  ];
  test.for(back)(
    'books the payment and opens its period, then books the return: %s',
    async ([status, kind, rupiah]) => {
      const { customer, transaction } = await renewal();
      await changeAndNotify(transaction, { status, refunds: [50_000] });
      expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2, ledger: { length: 3 } });
      expect(await returned(customer, transaction)).toMatchObject({ ledger: [[kind, -rupiah]] });
    },
  );

  test('books the payment and opens its period even if Midtrans gives no amount', async () => {
    const { customer, transaction } = await renewal();
    await changeAndNotify(transaction, { status: 'partial_refund', refunds: [] });
    expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
    expect(await returned(customer, transaction)).toMatchObject({ ledger: [] });
  });

  test('books a wrong amount in both directions and opens no period', async () => {
    const { customer, transaction } = await renewal();
    await changeAndNotify(transaction, { status: 'partial_refund', grossAmount: '149999.00', refunds: [50_000] });
    expect(await booked(customer)).toMatchObject({
      state: 'pending',
      periods: 1,
      ledger: [
        { kind: 'payment', amount_rupiah: 149_999 },
        { kind: 'refund', amount_rupiah: -50_000 },
      ],
    });
  });

  test('books each direction once if it comes during the notification of the payment', async () => {
    const { customer, transaction } = await renewal();
    transaction.firstStatuses.push('settlement', 'partial_refund', 'partial_refund', 'settlement', 'partial_refund');
    await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000] });
    expect(transaction.firstStatuses).toEqual([]);
    expect(await booked(customer)).toMatchObject({
      state: 'paid',
      periods: 2,
      ledger: [
        { kind: 'charge', amount_rupiah: -150_000 },
        { kind: 'payment', amount_rupiah: 150_000 },
        { kind: 'refund', amount_rupiah: -50_000 },
      ],
    });
  });
});

test('the unbought list shows the part of a payment that is still to return, until all of it is returned', async () => {
  const { customer, transaction } = await renewal();
  Object.assign(transaction, { status: 'settlement', grossAmount: '149999.00' });
  await midtrans.notify(transaction.orderId);
  const { accountId } = customer;
  const toGiveBack = async () =>
    (await listLedger(t.database, { accountId, unboughtOnly: true })).map(({ amountRupiah }) => amountRupiah);
  expect(await toGiveBack()).toEqual([149_999]);
  await changeAndNotify(transaction, { status: 'partial_refund', refunds: [50_000] });
  expect(await toGiveBack()).toEqual([99_999]);
  await changeAndNotify(transaction, { status: 'refund' });
  expect(await toGiveBack()).toEqual([]);
});
