/**
 * Lists of an account's renewals and ledger, newest first. Nothing is written here; only `renewals.ts` moves
 * money.
 */
import type { AccountId, RenewalId, RenewalState } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import type { LedgerKind } from './renewals.js';

export type Page = { readonly limit: number; readonly cursor: string | null };

export function pageOf<Row extends { readonly id: string }>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

export type RenewalRow = {
  readonly id: RenewalId;
  readonly planName: string;
  readonly durationDays: number;
  readonly priceRupiah: number;
  readonly quota: number | null;
  readonly method: string;
  readonly state: RenewalState;
  readonly paymentUrl: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly paidAt: Date | null;
};

const renewalColumns = `id, plan_name AS "planName", duration_days AS "durationDays", price_rupiah AS "priceRupiah", quota,
  method, CASE WHEN state = 'pending' AND expires_at <= now() THEN 'expired' ELSE state END AS state,
  payment_url AS "paymentUrl", created_at AS "createdAt", expires_at AS "expiresAt", paid_at AS "paidAt"`;

export async function listRenewals(database: Database, accountId: AccountId, { limit, cursor }: Page) {
  const { rows } = await database.pool.query<RenewalRow>(
    `SELECT ${renewalColumns} FROM renewals WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit],
  );
  return pageOf(rows, limit);
}

/** The account's renewal, or null. */
export async function readRenewal(database: Database, accountId: AccountId, id: string): Promise<RenewalRow | null> {
  const { rows } = await database.pool.query<RenewalRow>(
    `SELECT ${renewalColumns} FROM renewals WHERE account_id = $1 AND id = $2`,
    [accountId, id],
  );
  return rows[0] ?? null;
}

export type AccountLedgerRow = {
  readonly id: string;
  readonly renewalId: string;
  readonly kind: LedgerKind;
  readonly amountRupiah: number;
  readonly provider: string;
  readonly providerPayment: string;
  /** Null: the renewal is not paid. */
  readonly renewalPaidAt: Date | null;
  readonly createdAt: Date;
};

export async function listAccountLedger(database: Database, accountId: AccountId, { limit, cursor }: Page) {
  const { rows } = await database.lists.query<AccountLedgerRow>(
    `SELECT l.id, l.renewal_id AS "renewalId", l.kind, l.amount_rupiah AS "amountRupiah", l.provider,
            l.provider_payment AS "providerPayment", r.paid_at AS "renewalPaidAt", l.created_at AS "createdAt"
     FROM ledger_entries l JOIN renewals r ON r.id = l.renewal_id
     WHERE l.account_id = $1 AND ($2::text IS NULL OR l.id < $2) ORDER BY l.id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit],
  );
  return pageOf(rows, limit);
}
