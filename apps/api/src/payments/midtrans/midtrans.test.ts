import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../../test/customer-fixture.js';
import type { FakeMidtrans } from '../../../test/fake-midtrans.js';
import { type PayingByMidtrans, startPayingByMidtrans } from '../../../test/paying-by-midtrans.js';
import { call } from '../../../test/signed-request.js';
import type { TestApi } from '../../../test/test-api.js';

let paying: PayingByMidtrans;
let t: TestApi;
let midtrans: FakeMidtrans;
beforeAll(async () => {
  paying = await startPayingByMidtrans();
  ({ t, midtrans } = paying);
});
afterEach(() => {
  midtrans.broken = null;
});
afterAll(() => paying.close());

const renewal = () => paying.renewal();
const booked = (customer: Customer) => paying.booked(customer);

const nothing = { ledger: [], periods: 1, state: 'pending' };

test('a renewal makes a Snap transaction with our price, the end of the renewal and our notification URL', async () => {
  const { transaction } = await renewal();
  expect(transaction.notificationUrl).toBe(`${t.url}/callbacks/payments/midtrans`);
  expect(transaction.request).toMatchObject({
    transaction_details: { order_id: transaction.orderId, gross_amount: 150_000 },
    expiry: { unit: 'hour', duration: 24 },
  });
});

test('a settled payment is booked once, after repeated and late notifications', async () => {
  const { customer, transaction } = await renewal();
  expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
  expect(await booked(customer)).toEqual(nothing);
  transaction.status = 'settlement';
  const answers = await Promise.all(Array.from({ length: 5 }, () => midtrans.notify(transaction.orderId)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  // The first notification comes again after the last one. Only the present status counts.
  expect((await midtrans.notify(transaction.orderId, { transaction_status: 'pending' })).status).toBe(200);
  expect(await booked(customer)).toEqual({
    state: 'paid',
    periods: 2,
    ledger: [
      { kind: 'charge', amount_rupiah: -150_000, provider_payment: transaction.transactionId },
      { kind: 'payment', amount_rupiah: 150_000, provider_payment: transaction.transactionId },
    ],
  });
});

test.each([
  ['echannel', 'bank_transfer'],
  ['credit_card', 'card'],
  ['gopay', 'e_wallet'],
  ['constructor', null],
  [7, null],
])('a payment of the type %j is booked as %j', async (type, method) => {
  const { customer, transaction } = await renewal();
  transaction.status = 'settlement';
  transaction.odd = { payment_type: type };
  expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
  const text = 'SELECT DISTINCT method FROM ledger_entries WHERE account_id = $1';
  expect((await t.database.pool.query(text, [customer.accountId])).rows).toEqual([{ method }]);
});

test('a payment counts if its amount is a number and its optional fields are odd', async () => {
  const { customer, transaction } = await renewal();
  const odd = { gross_amount: 150_000, fraud_status: null, refund_amount: '', refunds: [{}] };
  transaction.status = 'settlement';
  const signed = { gross_amount: transaction.grossAmount };
  transaction.odd = odd;
  expect((await midtrans.notify(transaction.orderId, signed)).status).toBe(200);
  expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
});

describe('nothing is booked', () => {
  test.each(['pending', 'deny', 'expire', 'cancel', 'failure', 'authorize'])('while it is %s', async (status) => {
    const { customer, transaction } = await renewal();
    transaction.status = status;
    expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
    expect(await booked(customer)).toEqual(nothing);
  });

  test.each([null, 'challenge', 'deny'])('while a card payment is captured with the fraud status %s', async (fraud) => {
    const { customer, transaction } = await renewal();
    Object.assign(transaction, { status: 'capture', fraud });
    expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
    expect(await booked(customer)).toEqual(nothing);
  });

  test('while a card payment is suspected of fraud; it counts when it is accepted', async () => {
    const { customer, transaction } = await renewal();
    Object.assign(transaction, { status: 'capture', fraud: 'challenge' });
    await midtrans.notify(transaction.orderId);
    expect(await booked(customer)).toEqual(nothing);
    transaction.fraud = 'accept';
    await midtrans.notify(transaction.orderId);
    expect(await booked(customer)).toMatchObject({ state: 'paid' });
  });

  test.each([
    ['no hex', 'x'],
    ['another text', '0'.repeat(128)],
    ['empty', ''],
  ])('when the signature is %s', async (_name, signature) => {
    const { customer, transaction } = await renewal();
    transaction.status = 'settlement';
    const answer = await midtrans.notify(transaction.orderId, { signature_key: signature });
    expect([401, 422]).toContain(answer.status);
    expect(await booked(customer)).toEqual(nothing);
  });

  test('when the notification of an expensive order has the signature of a cheap one', async () => {
    const { customer, transaction } = await renewal();
    transaction.status = 'settlement';
    const signature = createHash('sha512').update(`other20010.00${midtrans.serverKey}`).digest('hex');
    const answer = await midtrans.notify(transaction.orderId, { signature_key: signature, gross_amount: '10.00' });
    expect(answer.status).toBe(401);
    expect(await booked(customer)).toEqual(nothing);
  });

  test('when a correctly signed notification says settlement and Midtrans says pending', async () => {
    const { customer, transaction } = await renewal();
    expect((await midtrans.notify(transaction.orderId, { transaction_status: 'settlement' })).status).toBe(200);
    expect(await booked(customer)).toEqual(nothing);
  });

  test.each([
    ['less', { grossAmount: '149999.00' }, [{ kind: 'payment', amount_rupiah: 149_999 }]],
    ['more', { grossAmount: '150001.00' }, [{ kind: 'payment', amount_rupiah: 150_001 }]],
    ['in another currency', { currency: 'USD' }, []],
  ])(
    'for the renewal when the payer pays %s, but the ledger has the rupiah and an error is logged',
    async (_name, changes, ledger) => {
      const { customer, transaction } = await renewal();
      Object.assign(transaction, { status: 'settlement', ...changes });
      expect((await midtrans.notify(transaction.orderId)).status).toBe(422);
      expect(await booked(customer)).toMatchObject({ state: 'pending', periods: 1, ledger });
      expect(
        t.logs.filter((line) => line.level === 'error' && line.fields['renewalId'] === transaction.orderId),
      ).toHaveLength(1);
    },
  );

  test('while Midtrans does not return the status, and the answer asks for another notification', async () => {
    const { customer, transaction } = await renewal();
    transaction.status = 'settlement';
    midtrans.broken = 500;
    expect((await midtrans.notify(transaction.orderId)).status).toBe(502);
    expect(await booked(customer)).toEqual(nothing);
    midtrans.broken = null;
    await midtrans.notify(transaction.orderId);
    expect(await booked(customer)).toMatchObject({ state: 'paid' });
  });
});

test('a payment for an expired renewal counts', async () => {
  const { customer, transaction } = await renewal();
  await t.database.pool.query(
    `UPDATE renewals SET state = 'expired', expires_at = now() - interval '2 ms' WHERE id = $1`,
    [transaction.orderId],
  );
  transaction.status = 'settlement';
  await midtrans.notify(transaction.orderId);
  expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
});

test('if Midtrans opens no page, the renewal is refused and nothing is stored', async () => {
  const customer = await createCustomer(t.database);
  midtrans.broken = 503;
  const answer = await call(t.url, customer, 'renewAccount');
  expect([answer.status, answer.body.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  expect(await booked(customer)).toMatchObject({ state: undefined });
});

test('the sandbox has no page and no callback if Midtrans takes the payments', async () => {
  expect((await fetch(`${t.url}/callbacks/payments/sandbox`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${t.url}/pay/${'a'.repeat(32)}`)).status).toBe(404);
});

test('the server key is in no log', async () => {
  await renewal();
  expect(JSON.stringify(t.logs)).not.toContain(midtrans.serverKey);
  expect(JSON.stringify(t.logs)).not.toContain(Buffer.from(`${midtrans.serverKey}:`).toString('base64'));
});
