/** Starts an api whose renewals are paid through a fake Midtrans, and reads what it has booked. */
import { createCustomer, type Customer } from './customer-fixture.js';
import { type FakeMidtrans, startFakeMidtrans, type Transaction } from './fake-midtrans.js';
import { call } from './signed-request.js';
import { startTestApi, type TestApi } from './test-api.js';

export type PayingByMidtrans = {
  readonly t: TestApi;
  readonly midtrans: FakeMidtrans;
  /** Makes a customer with a pending renewal and its transaction. */
  renewal(): Promise<{ customer: Customer; transaction: Transaction }>;
  booked(customer: Customer): Promise<{ ledger: object[]; periods: number | null; state: string | undefined }>;
  close(): Promise<void>;
};

async function readBooked({ database }: TestApi, { accountId }: Customer) {
  const [ledger, periods, renewals] = await Promise.all([
    database.pool.query<object>(
      'SELECT kind, amount_rupiah, provider_payment FROM ledger_entries WHERE account_id = $1 ORDER BY kind',
      [accountId],
    ),
    database.pool.query('SELECT 1 FROM subscription_periods WHERE account_id = $1', [accountId]),
    database.pool.query<{ state: string }>('SELECT state FROM renewals WHERE account_id = $1', [accountId]),
  ]);
  return { ledger: ledger.rows, periods: periods.rowCount, state: renewals.rows[0]?.state };
}

export async function startPayingByMidtrans(): Promise<PayingByMidtrans> {
  const midtrans = await startFakeMidtrans();
  const t = await startTestApi({
    KURIR_MIDTRANS_SERVER_KEY: midtrans.serverKey,
    KURIR_MIDTRANS_SNAP_URL: midtrans.url,
    KURIR_MIDTRANS_API_URL: `${midtrans.url}/`,
  });
  return {
    t,
    midtrans,
    async renewal() {
      const customer = await createCustomer(t.database);
      const answer = await call(t.url, customer, 'renewAccount');
      const url = String(answer.body.data['payment_url']);
      const transaction = midtrans.transactions.get(url.slice(url.lastIndexOf('/') + 1));
      if (transaction === undefined) throw new Error('no transaction was made');
      return { customer, transaction };
    },
    booked: (customer) => readBooked(t, customer),
    async close() {
      await t.close();
      await midtrans.close();
    },
  };
}
