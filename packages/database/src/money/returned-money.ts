/**
 * Money of a payment that was returned to the payer. It is booked as another entry and does not end the period that was
 * bought; the operator decides about that. The returned amount never decreases, and a repeat books nothing.
 */
import { type AccountId, newId, type RenewalId } from '@kurir/contracts';
import type pg from 'pg';
import { noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';

export type ReturnedMoney = {
  readonly provider: string;
  /** The provider's id of the payment. */
  readonly providerPayment: string;
  /** `refund`: the operator or the provider returned it. `chargeback`: the payer's bank took it. */
  readonly kind: 'refund' | 'chargeback';
  /** The sum that has been returned in both ways. `all`: the whole payment. */
  readonly totalRupiah: number | 'all';
};

export type ReturnOutcome =
  | 'booked'
  | 'already-booked'
  /**
   * This sum is already booked, but as the other kind, and a part of the payment is not returned. So the report is
   * about another return.
   */
  | 'booked-as-other'
  | 'never-paid';

type Payment = { account_id: AccountId; renewal_id: RenewalId; amount_rupiah: number };

async function lockPayment(
  client: pg.PoolClient,
  { provider, providerPayment }: ReturnedMoney,
): Promise<Payment | null> {
  const { rows } = await client.query<Payment>(
    `SELECT account_id, renewal_id, amount_rupiah FROM ledger_entries
     WHERE provider = $1 AND provider_payment = $2 AND kind = 'payment' FOR UPDATE`,
    [provider, providerPayment],
  );
  return rows[0] ?? null;
}

type Returned = { rupiah: number; as_this_kind: boolean };

async function readReturned(client: pg.PoolClient, money: ReturnedMoney): Promise<Returned> {
  const { rows } = await client.query<Returned>(
    `SELECT coalesce(-sum(amount_rupiah), 0)::int AS rupiah, coalesce(bool_or(kind = $3), false) AS as_this_kind
     FROM ledger_entries WHERE provider = $1 AND provider_payment = $2 AND kind IN ('refund', 'chargeback')`,
    [money.provider, money.providerPayment, money.kind],
  );
  return rows[0] ?? { rupiah: 0, as_this_kind: false };
}

/** Books the difference between the returned sum and the booked sum. Adds an audit row for the operator. */
export async function bookReturn(database: Database, money: ReturnedMoney): Promise<ReturnOutcome> {
  return inTransaction(database.pool, async (client) => {
    const payment = await lockPayment(client, money);
    if (payment === null) return 'never-paid';
    const { account_id: accountId, renewal_id: renewalId, amount_rupiah: paid } = payment;
    const total = money.totalRupiah === 'all' ? paid : Math.min(money.totalRupiah, paid);
    const returned = await readReturned(client, money);
    const amount = total - returned.rupiah;
    if (amount <= 0) return returned.as_this_kind || returned.rupiah === paid ? 'already-booked' : 'booked-as-other';
    await client.query(
      `INSERT INTO ledger_entries (id, account_id, renewal_id, kind, amount_rupiah, provider, provider_payment)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [newId('pay'), accountId, renewalId, money.kind, -amount, money.provider, money.providerPayment],
    );
    const action = money.kind === 'refund' ? 'payment.refunded' : 'payment.charged_back';
    await noteAudit(client, { accountId, actor: money.provider, action }, renewalId);
    return 'booked';
  });
}
