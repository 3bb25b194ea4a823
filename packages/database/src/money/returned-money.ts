/**
 * Money of a payment that went back to the payer. It is booked beside the payment and takes nothing away: whether the
 * period that was bought ends is for the operator to decide. Only forward: what is known to have gone back never becomes
 * less, and a repeat books nothing.
 */
import { type AccountId, newId, type RenewalId } from '@kurir/contracts';
import type pg from 'pg';
import { noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';

export type ReturnedMoney = {
  readonly provider: string;
  /** The provider's own id of the payment. */
  readonly providerPayment: string;
  /** `refund`: the operator or the provider gave it back; `chargeback`: the payer's bank took it. */
  readonly kind: 'refund' | 'chargeback';
  /** All that went back by now, in both ways; `all`: the whole payment. */
  readonly totalRupiah: number | 'all';
};

export type ReturnOutcome =
  | 'booked'
  | 'already-booked'
  /** As much is booked, none of it as this kind, and some of the payment is still here: they mean something else. */
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

/** Books what went back beyond what is booked, with an entry in the audit log that the operator reads. */
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
