import { createHash } from 'node:crypto';
import { listLedger, readAudit } from '@kurir/database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../../test/customer.js';
import { type FakeMidtrans, startFakeMidtrans, type Transaction } from '../../../test/fake-midtrans.js';
import { call } from '../../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';

let t: TestApi;
let midtrans: FakeMidtrans;
beforeAll(async () => {
  midtrans = await startFakeMidtrans();
  t = await startTestApi({
    KURIR_MIDTRANS_SERVER_KEY: midtrans.serverKey,
    KURIR_MIDTRANS_SNAP_URL: midtrans.url,
    KURIR_MIDTRANS_API_URL: `${midtrans.url}/`,
  });
});
afterEach(() => {
  midtrans.broken = null;
});
afterAll(async () => {
  await t.close();
  await midtrans.close();
});

async function renewal(): Promise<{ customer: Customer; transaction: Transaction }> {
  const customer = await createCustomer(t.database);
  const answer = await call(t.url, customer, 'renewAccount');
  const url = String(answer.body.data['payment_url']);
  const transaction = midtrans.transactions.get(url.slice(url.lastIndexOf('/') + 1));
  if (transaction === undefined) throw new Error('no transaction was made');
  return { customer, transaction };
}

async function booked({ accountId }: Customer) {
  const [ledger, periods, renewals] = await Promise.all([
    t.database.pool.query(
      'SELECT kind, amount_rupiah, provider_payment FROM ledger_entries WHERE account_id = $1 ORDER BY kind',
      [accountId],
    ),
    t.database.pool.query('SELECT 1 FROM subscription_periods WHERE account_id = $1', [accountId]),
    t.database.pool.query<{ state: string }>('SELECT state FROM renewals WHERE account_id = $1', [accountId]),
  ]);
  return { ledger: ledger.rows, periods: periods.rowCount, state: renewals.rows[0]?.state };
}

const nothing = { ledger: [], periods: 1, state: 'pending' };

test('a renewal is a Snap transaction of our price, which ends when the renewal does and notifies us', async () => {
  const { transaction } = await renewal();
  expect(transaction.notificationUrl).toBe(`${t.url}/callbacks/payments/midtrans`);
  expect(transaction.request).toMatchObject({
    transaction_details: { order_id: transaction.orderId, gross_amount: 150_000 },
    expiry: { unit: 'hour', duration: 24 },
  });
});

test('a settled payment is booked once, however often and however late it is told', async () => {
  const { customer, transaction } = await renewal();
  expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
  expect(await booked(customer)).toEqual(nothing);
  transaction.status = 'settlement';
  const answers = await Promise.all(Array.from({ length: 5 }, () => midtrans.notify(transaction.orderId)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  // The first notification again, after the last: what counts is how it stands now.
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

describe('nothing is booked', () => {
  test.each(['pending', 'deny', 'expire', 'cancel', 'failure', 'refund', 'authorize'])(
    'while it is %s',
    async (status) => {
      const { customer, transaction } = await renewal();
      transaction.status = status;
      expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
      expect(await booked(customer)).toEqual(nothing);
    },
  );

  test.each([null, 'challenge', 'deny'])(
    'while a card’s payment is captured and its fraud status is %s',
    async (fraud) => {
      const { customer, transaction } = await renewal();
      Object.assign(transaction, { status: 'capture', fraud });
      expect((await midtrans.notify(transaction.orderId)).status).toBe(200);
      expect(await booked(customer)).toEqual(nothing);
    },
  );

  test('while a card’s payment is doubted; once it is not, it counts', async () => {
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

  test('when a true signature of a cheap order is put under a dear one', async () => {
    const { customer, transaction } = await renewal();
    transaction.status = 'settlement';
    const signature = createHash('sha512').update(`other20010.00${midtrans.serverKey}`).digest('hex');
    const answer = await midtrans.notify(transaction.orderId, { signature_key: signature, gross_amount: '10.00' });
    expect(answer.status).toBe(401);
    expect(await booked(customer)).toEqual(nothing);
  });

  test('when somebody says settlement under a true signature and Midtrans says pending', async () => {
    const { customer, transaction } = await renewal();
    expect((await midtrans.notify(transaction.orderId, { transaction_status: 'settlement' })).status).toBe(200);
    expect(await booked(customer)).toEqual(nothing);
  });

  test.each([
    ['less', { grossAmount: '149999.00' }, [{ kind: 'payment', amount_rupiah: 149_999 }]],
    ['more', { grossAmount: '150001.00' }, [{ kind: 'payment', amount_rupiah: 150_001 }]],
    ['in another currency', { currency: 'USD' }, []],
  ])(
    'for the renewal when %s was paid: rupiah stand in the ledger, a person is told',
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

  test('while Midtrans does not say how it stands; it is asked to notify again', async () => {
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

describe('money that went back', () => {
  async function paid(status = 'settlement') {
    const { customer, transaction } = await renewal();
    transaction.status = status;
    await midtrans.notify(transaction.orderId);
    expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
    return { customer, transaction };
  }

  /** Told five times at once, in each state. */
  async function tell(transaction: Transaction, changes: Partial<Transaction>): Promise<void> {
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
        .filter(({ subject, actor }) => subject === orderId && actor === 'midtrans')
        .map(({ actor, action }) => `${actor} ${action}`),
    };
  }

  const inFull: readonly (readonly [status: string, kind: string, action: string, paidBy: string])[] = [
    ['refund', 'refund', 'payment.refunded', 'settlement'],
    ['chargeback', 'chargeback', 'payment.charged_back', 'settlement'],
    ['deny', 'refund', 'payment.refunded', 'settlement'],
    ['cancel', 'refund', 'payment.refunded', 'capture'],
  ];
  test.for(inFull)('is booked once and told to the operator: %s; what was bought stays', async (row) => {
    const [status, kind, action, paidBy] = row;
    const { customer, transaction } = await paid(paidBy);
    await tell(transaction, { status });
    expect(await returned(customer, transaction)).toEqual({
      ledger: [[kind, -150_000]],
      audit: [`midtrans ${action}`],
    });
    // An older notification comes late, and Midtrans says so again.
    await tell(transaction, { status: 'settlement' });
    expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
    expect(await returned(customer, transaction)).toMatchObject({ ledger: [[kind, -150_000]] });
  });

  test('in parts is booked part by part, never more than came in', async () => {
    const { customer, transaction } = await paid();
    await tell(transaction, { status: 'partial_refund', refunds: [50_000] });
    await tell(transaction, { refunds: [50_000, 20_000] });
    await tell(transaction, { refunds: [50_000] });
    await tell(transaction, { status: 'chargeback' });
    await tell(transaction, { status: 'partial_refund', refunds: [50_000, 20_000, 900_000] });
    const { ledger, audit } = await returned(customer, transaction);
    expect(ledger).toEqual([
      ['chargeback', -80_000],
      ['refund', -20_000],
      ['refund', -50_000],
    ]);
    expect(audit).toEqual(['midtrans payment.charged_back', 'midtrans payment.refunded', 'midtrans payment.refunded']);
  });

  test('without a word about how much is not guessed: a person is told', async () => {
    const { customer, transaction } = await paid();
    await tell(transaction, { status: 'partial_refund' });
    expect(await returned(customer, transaction)).toEqual({ ledger: [], audit: [] });
    const told = t.logs.filter(({ level, fields }) => level === 'error' && fields['renewalId'] === transaction.orderId);
    expect(told[0]?.text).toContain('not booked');
  });

  test('of a payment that bought nothing, takes it off the list of what is to be given back', async () => {
    const { customer, transaction } = await renewal();
    Object.assign(transaction, { status: 'settlement', grossAmount: '149999.00' });
    await midtrans.notify(transaction.orderId);
    const { accountId } = customer;
    expect(await listLedger(t.database, { accountId, unboughtOnly: true })).toHaveLength(1);
    await tell(transaction, { status: 'refund' });
    expect(await listLedger(t.database, { accountId, unboughtOnly: true })).toEqual([]);
  });
});

test('money that arrives for an expired renewal counts', async () => {
  const { customer, transaction } = await renewal();
  await t.database.pool.query(`UPDATE renewals SET state = 'expired', expires_at = now() WHERE id = $1`, [
    transaction.orderId,
  ]);
  transaction.status = 'settlement';
  await midtrans.notify(transaction.orderId);
  expect(await booked(customer)).toMatchObject({ state: 'paid', periods: 2 });
});

test('when Midtrans opens no page, the renewal is refused and nothing is stored', async () => {
  const customer = await createCustomer(t.database);
  midtrans.broken = 503;
  const answer = await call(t.url, customer, 'renewAccount');
  expect([answer.status, answer.body.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  expect(await booked(customer)).toMatchObject({ state: undefined });
});

test('the sandbox’s button and callback do not exist where money is real', async () => {
  expect((await fetch(`${t.url}/callbacks/payments/sandbox`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${t.url}/pay/${'a'.repeat(32)}`)).status).toBe(404);
});

test('the server key is in no log', async () => {
  await renewal();
  expect(JSON.stringify(t.logs)).not.toContain(midtrans.serverKey);
  expect(JSON.stringify(t.logs)).not.toContain(Buffer.from(`${midtrans.serverKey}:`).toString('base64'));
});
