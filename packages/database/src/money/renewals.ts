/**
 * Renewals and payments. A renewal stores the plan as it was offered, so the customer gets the plan that was shown. A
 * payment is settled once, in whatever order and however often the provider reports it. Money for an expired or
 * cancelled renewal counts.
 */
import { type AccountId, limits, newId, type PaymentMethod, type RenewalId, type RenewalState } from '@kurir/contracts';
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
  plan_id: string;
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
const columns = `id, account_id, plan_id, plan_name, plan_type, duration_days, price_rupiah, quota, ${shownState}, payment_url, expires_at`;

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

/** Makes the account's renewals wait for each other while one is made or settled. */
async function lockAccount(client: pg.PoolClient, accountId: AccountId): Promise<void> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
}

/** How the renewal is asked for. `clientRef` names the request; null: it has no name. */
export type RenewalRequest = { readonly method: string; readonly clientRef: string | null };

type Offer = RenewalRequest & { readonly accountId: AccountId; readonly plan: ChosenPlan };

/**
 * The paid renewal that this request made before, or the account's pending renewal of this plan at this price, or null. A
 * pending one takes the name of the request.
 */
async function findRenewal(client: pg.PoolClient, offer: Offer): Promise<Renewal | null> {
  const { accountId, plan, method, clientRef } = offer;
  await lockAccount(client, accountId);
  await client.query(
    `UPDATE renewals SET state = 'expired' WHERE account_id = $1 AND state = 'pending' AND expires_at <= now()`,
    [accountId],
  );
  const { rows } = await client.query<RenewalRow & { client_ref: string | null }>(
    `SELECT ${columns}, client_ref FROM renewals
     WHERE account_id = $1 AND ((client_ref = $7 AND state = 'paid') OR (state = 'pending' AND plan_id = $2
       AND price_rupiah = $3 AND duration_days = $4 AND quota IS NOT DISTINCT FROM $5 AND method = $6))
     ORDER BY state = 'paid' DESC LIMIT 1`,
    [accountId, plan.planId, plan.priceRupiah, plan.durationDays, plan.quota, method, clientRef],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.client_ref !== clientRef) await nameRenewal(client, offer, row.id);
  return renewalOf(row);
}

/** Gives the name of the request to this renewal, and takes it from one that expired or was cancelled. */
async function nameRenewal(client: pg.PoolClient, { accountId, clientRef }: Offer, id: RenewalId): Promise<void> {
  if (clientRef === null) return;
  await client.query('UPDATE renewals SET client_ref = NULL WHERE account_id = $1 AND client_ref = $2', [
    accountId,
    clientRef,
  ]);
  await client.query('UPDATE renewals SET client_ref = $2 WHERE id = $1', [id, clientRef]);
}

type Page = { readonly id: RenewalId; readonly pageToken: string; readonly paymentUrl: string };

/** Stores the renewal and cancels another one that is pending. */
async function insertRenewal(client: pg.PoolClient, offer: Offer, page: Page): Promise<Renewal> {
  const { accountId, plan, method } = offer;
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
  await nameRenewal(client, offer, row.id);
  return renewalOf(row);
}

/**
 * Returns the account's pending renewal of this plan at this price, or a new one. A pending renewal of another plan or
 * price is cancelled. A repeat of a request with a name returns the renewal of the first one, also when it is paid.
 *
 * `openPage` gets the payment page from the provider. It runs outside of transactions, so that a slow provider blocks
 * nobody. If it throws, nothing is stored. If two requests run at once, one renewal is stored and both get its page.
 */
export async function openRenewal(
  database: Database,
  accountId: AccountId,
  plan: ChosenPlan,
  request: RenewalRequest,
  openPage: (renewal: { id: RenewalId; pageToken: string }) => Promise<string>,
  pageToken: string,
  audit?: Audit,
): Promise<Renewal> {
  const offer = { accountId, plan, ...request };
  const pending = await inTransaction(database.pool, async (client) => {
    const found = await findRenewal(client, offer);
    if (audit !== undefined && found !== null) await noteAudit(client, audit, found.id);
    return found;
  });
  if (pending !== null) return pending;
  const id = newId('rnw');
  const paymentUrl = await openPage({ id, pageToken });
  return inTransaction(database.pool, async (client) => {
    const renewal =
      (await findRenewal(client, offer)) ?? (await insertRenewal(client, offer, { id, pageToken, paymentUrl }));
    if (audit !== undefined) await noteAudit(client, audit, renewal.id);
    return renewal;
  });
}

export type Payment = {
  readonly renewalId: string;
  readonly provider: string;
  /** The provider's id of the payment. */
  readonly providerPayment: string;
  readonly amountRupiah: number;
  /** Null: the provider did not tell it. */
  readonly method?: PaymentMethod | null;
};

export type SettleOutcome =
  | 'extended'
  | 'already-settled'
  | 'unknown-renewal'
  /** The money is booked, but it bought nothing. */
  | 'wrong-amount'
  /** The payment was booked for another renewal. */
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
    `INSERT INTO ledger_entries (id, account_id, renewal_id, kind, amount_rupiah, provider, provider_payment, method)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      newId('pay'),
      renewal.account_id,
      renewal.id,
      kind,
      amountRupiah,
      payment.provider,
      payment.providerPayment,
      payment.method ?? null,
    ],
  );
}

/** The renewal for which the payment was booked, or null. */
async function findBooking(client: pg.PoolClient, payment: Payment): Promise<string | null> {
  const { rows } = await client.query<{ renewal_id: string }>(
    `SELECT renewal_id FROM ledger_entries WHERE provider = $1 AND provider_payment = $2 AND kind = 'payment'`,
    [payment.provider, payment.providerPayment],
  );
  return rows[0]?.renewal_id ?? null;
}

/** Opens a period that begins now. It ends the plan's days after the present expiry, or after now if that is later. */
async function openPeriod(client: pg.PoolClient, renewal: RenewalRow): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota, max_devices)
     SELECT gen_random_uuid(), $1, $2, $3, now(),
            GREATEST(now(), (SELECT max(ends_at) FROM subscription_periods WHERE account_id = $1)) + make_interval(days => $4), $5, max_devices
     FROM plans WHERE id = $6 RETURNING id`,
    [renewal.account_id, renewal.plan_name, renewal.plan_type, renewal.duration_days, renewal.quota, renewal.plan_id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the period was not inserted');
  return row.id;
}

/** Books the money once, also if it buys nothing. Then buys the period if the amount is right. */
async function settle(client: pg.PoolClient, renewal: RenewalRow, payment: Payment): Promise<SettleOutcome> {
  const booking = await findBooking(client, payment);
  if (booking !== null && booking !== renewal.id) return 'payment-of-another';
  if (booking !== null) return renewal.state === 'paid' ? 'already-settled' : 'wrong-amount';
  if (payment.amountRupiah > 0) await writeLedger(client, renewal, payment, 'payment', payment.amountRupiah);
  if (payment.amountRupiah !== renewal.price_rupiah) return 'wrong-amount';
  if (renewal.state === 'paid') return 'already-settled';
  await writeLedger(client, renewal, payment, 'charge', -renewal.price_rupiah);
  const periodId = await openPeriod(client, renewal);
  // The invoice keeps the account's present details.
  await client.query(
    `UPDATE renewals r SET state = 'paid', paid_at = now(), period_id = $2,
       invoice_name = coalesce(a.invoice_name, a.name), invoice_tax_number = a.invoice_tax_number, invoice_address = a.invoice_address
     FROM accounts a WHERE r.id = $1 AND a.id = r.account_id`,
    [renewal.id, periodId],
  );
  const audit = { accountId: renewal.account_id, actor: payment.provider, action: 'renewal.paid' } as const;
  await noteAudit(client, audit, renewal.id);
  return 'extended';
}

/**
 * Books a payment that the provider reported: two ledger rows, a new period and the paid renewal, all or nothing. The
 * amount is compared with our own row. A repeat changes nothing.
 *
 * Money that buys nothing has the wrong amount, or its renewal is paid already. It stays in the ledger without a
 * charge, so that a person can return it. If one payment arrives for two renewals at once, a unique index refuses the
 * second. Its repeat then gets `payment-of-another`.
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
