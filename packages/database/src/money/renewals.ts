/**
 * Renewals and money. A renewal remembers the plan as it was offered, so that what is paid for is what was
 * shown. Payment is settled once per renewal however often and in whatever order the provider reports it;
 * money that arrives for an expired or cancelled renewal counts.
 */
import { type AccountId, limits, newId, type RenewalId, type RenewalState } from '@kurir/contracts';
import type pg from 'pg';
import type { ChosenPlan } from '../accounts/accounts.js';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';

export type Renewal = {
  readonly id: RenewalId;
  readonly accountId: AccountId;
  readonly planName: string;
  readonly durationDays: number;
  readonly priceRupiah: number;
  readonly state: RenewalState;
  readonly paymentUrl: string;
  readonly expiresAt: Date;
};

type RenewalRow = {
  id: RenewalId;
  account_id: AccountId;
  plan_name: string;
  plan_type: string;
  duration_days: number;
  price_rupiah: number;
  quota: number | null;
  state: RenewalState;
  payment_url: string;
  expires_at: Date;
};

const shownState = `CASE WHEN state = 'pending' AND expires_at <= now() THEN 'expired' ELSE state END AS state`;
const columns = `id, account_id, plan_name, plan_type, duration_days, price_rupiah, quota, ${shownState}, payment_url, expires_at`;

const renewalOf = (row: RenewalRow): Renewal => ({
  id: row.id,
  accountId: row.account_id,
  planName: row.plan_name,
  durationDays: row.duration_days,
  priceRupiah: row.price_rupiah,
  state: row.state,
  paymentUrl: row.payment_url,
  expiresAt: row.expires_at,
});

/** One renewal of an account is made or settled at a time. */
async function lockAccount(client: pg.PoolClient, accountId: AccountId): Promise<void> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
}

type Offer = { readonly accountId: AccountId; readonly plan: ChosenPlan; readonly method: string };

/** The account's pending renewal of this plan at this price, or null. */
async function findPending(client: pg.PoolClient, { accountId, plan, method }: Offer): Promise<Renewal | null> {
  await lockAccount(client, accountId);
  await client.query(
    `UPDATE renewals SET state = 'expired' WHERE account_id = $1 AND state = 'pending' AND expires_at <= now()`,
    [accountId],
  );
  const { rows } = await client.query<RenewalRow>(
    `SELECT ${columns} FROM renewals WHERE account_id = $1 AND state = 'pending' AND plan_id = $2 AND price_rupiah = $3
       AND duration_days = $4 AND quota IS NOT DISTINCT FROM $5 AND method = $6`,
    [accountId, plan.planId, plan.priceRupiah, plan.durationDays, plan.quota, method],
  );
  const [row] = rows;
  return row === undefined ? null : renewalOf(row);
}

type Page = { readonly id: RenewalId; readonly pageToken: string; readonly paymentUrl: string };

/** Stores the renewal; another one that was pending is cancelled. */
async function insertRenewal(client: pg.PoolClient, { accountId, plan, method }: Offer, page: Page): Promise<Renewal> {
  await client.query(`UPDATE renewals SET state = 'cancelled' WHERE account_id = $1 AND state = 'pending'`, [
    accountId,
  ]);
  const { rows } = await client.query<RenewalRow>(
    `INSERT INTO renewals (id, account_id, plan_id, plan_name, plan_type, duration_days, price_rupiah, quota, method, page_token, payment_url, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '${limits.renewalPaymentHours} hours') RETURNING ${columns}`,
    [
      page.id,
      accountId,
      plan.planId,
      plan.name,
      plan.type,
      plan.durationDays,
      plan.priceRupiah,
      plan.quota,
      method,
      page.pageToken,
      page.paymentUrl,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the renewal was not inserted');
  return renewalOf(row);
}

/**
 * The account's pending renewal of this plan at this price, or a new one. One of another plan or price is
 * cancelled. `openPage` asks the provider for the payment page, outside of any transaction, so that a slow provider
 * holds up nobody; when it throws, nothing is stored. Of two that ask at once one is stored, and both get it: nobody is
 * ever shown the other's page.
 */
export async function openRenewal(
  database: Database,
  accountId: AccountId,
  plan: ChosenPlan,
  method: string,
  openPage: (renewal: { id: RenewalId; pageToken: string }) => Promise<string>,
  pageToken: string,
  audit?: Audit,
): Promise<Renewal> {
  const offer = { accountId, plan, method };
  const pending = await inTransaction(database.pool, async (client) => {
    const found = await findPending(client, offer);
    if (audit !== undefined && found !== null) await noteAudit(client, audit, found.id);
    return found;
  });
  if (pending !== null) return pending;
  const id = newId('rnw');
  const paymentUrl = await openPage({ id, pageToken });
  return inTransaction(database.pool, async (client) => {
    const renewal =
      (await findPending(client, offer)) ?? (await insertRenewal(client, offer, { id, pageToken, paymentUrl }));
    if (audit !== undefined) await noteAudit(client, audit, renewal.id);
    return renewal;
  });
}

/** The renewal behind a payment page, or null. */
export async function readRenewalByPage(database: Database, pageToken: string): Promise<Renewal | null> {
  const { rows } = await database.pool.query<RenewalRow>(`SELECT ${columns} FROM renewals WHERE page_token = $1`, [
    pageToken,
  ]);
  const [row] = rows;
  return row === undefined ? null : renewalOf(row);
}

export type Payment = {
  readonly renewalId: string;
  readonly provider: string;
  /** The provider's own id of the payment. */
  readonly providerPayment: string;
  readonly amountRupiah: number;
};

export type SettleOutcome =
  | 'extended'
  | 'already-settled'
  | 'unknown-renewal'
  /** What came in is booked; nothing was bought. */
  | 'wrong-amount'
  /** It was booked for another renewal. */
  | 'payment-of-another';

export type LedgerKind = 'payment' | 'charge' | 'refund' | 'chargeback';

async function writeLedger(
  client: pg.PoolClient,
  renewal: RenewalRow,
  payment: Payment,
  kind: 'payment' | 'charge',
  amountRupiah: number,
): Promise<void> {
  await client.query(
    `INSERT INTO ledger_entries (id, account_id, renewal_id, kind, amount_rupiah, provider, provider_payment)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [newId('pay'), renewal.account_id, renewal.id, kind, amountRupiah, payment.provider, payment.providerPayment],
  );
}

/** The renewal that the payment was booked for, or null. */
async function findBooking(client: pg.PoolClient, payment: Payment): Promise<string | null> {
  const { rows } = await client.query<{ renewal_id: string }>(
    `SELECT renewal_id FROM ledger_entries WHERE provider = $1 AND provider_payment = $2 AND kind = 'payment'`,
    [payment.provider, payment.providerPayment],
  );
  return rows[0]?.renewal_id ?? null;
}

/** From now on, until the plan's days after the present expiry, or after now when that has passed. */
async function openPeriod(client: pg.PoolClient, renewal: RenewalRow): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota)
     SELECT gen_random_uuid(), $1, $2, $3, now(),
            GREATEST(now(), (SELECT max(ends_at) FROM subscription_periods WHERE account_id = $1)) + make_interval(days => $4), $5
     RETURNING id`,
    [renewal.account_id, renewal.plan_name, renewal.plan_type, renewal.duration_days, renewal.quota],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the period was not inserted');
  return row.id;
}

/** What the payment buys, if anything; the money is written down in any case, once. */
async function settle(client: pg.PoolClient, renewal: RenewalRow, payment: Payment): Promise<SettleOutcome> {
  const booking = await findBooking(client, payment);
  if (booking !== null && booking !== renewal.id) return 'payment-of-another';
  if (booking !== null) return renewal.state === 'paid' ? 'already-settled' : 'wrong-amount';
  if (payment.amountRupiah > 0) await writeLedger(client, renewal, payment, 'payment', payment.amountRupiah);
  if (payment.amountRupiah !== renewal.price_rupiah) return 'wrong-amount';
  if (renewal.state === 'paid') return 'already-settled';
  await writeLedger(client, renewal, payment, 'charge', -renewal.price_rupiah);
  const periodId = await openPeriod(client, renewal);
  await client.query(`UPDATE renewals SET state = 'paid', paid_at = now(), period_id = $2 WHERE id = $1`, [
    renewal.id,
    periodId,
  ]);
  return 'extended';
}

/**
 * Books a payment that the provider reported: two ledger rows, a new period, the renewal paid, all or nothing.
 * The amount is compared with our own row; a repeat changes nothing. Money that buys nothing (of another amount, or for
 * a renewal that is paid) stands in the ledger without a charge, for a person to give back. A payment that comes for two
 * renewals at once is refused by a unique index: one is settled, the other's repeat hears so.
 */
export async function settleRenewal(database: Database, payment: Payment): Promise<SettleOutcome> {
  return inTransaction(database.pool, async (client) => {
    const found = await client.query<{ account_id: AccountId }>('SELECT account_id FROM renewals WHERE id = $1', [
      payment.renewalId,
    ]);
    const [owner] = found.rows;
    if (owner === undefined) return 'unknown-renewal';
    await lockAccount(client, owner.account_id);
    const { rows } = await client.query<RenewalRow>(`SELECT ${columns} FROM renewals WHERE id = $1`, [
      payment.renewalId,
    ]);
    const [renewal] = rows;
    return renewal === undefined ? 'unknown-renewal' : settle(client, renewal, payment);
  });
}
