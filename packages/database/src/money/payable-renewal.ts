/** A renewal as its payment page shows it: before it is paid, and as a receipt. */
import type { AccountId, PaymentMethod, RenewalId, RenewalState } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type PayableRenewal = {
  readonly id: RenewalId;
  /** The secret part of the page's address. */
  readonly pageToken: string;
  readonly accountId: AccountId;
  readonly accountName: string;
  /** The time zone (IANA) of the account. Null: it has chosen none. */
  readonly timeZone: string | null;
  readonly planName: string;
  readonly durationDays: number;
  readonly priceRupiah: number;
  readonly state: RenewalState;
  /** Null until it is paid. */
  readonly paidAt: Date | null;
  /** Null: it is not paid, or the provider did not tell it. */
  readonly method: PaymentMethod | null;
  /** The period that it opened, or would open now. It contains the days that the account has left. */
  readonly periodStart: Date;
  readonly periodEnd: Date;
};

/** The renewal of a payment page, or null. */
export async function readRenewalByPage(database: Database, pageToken: string): Promise<PayableRenewal | null> {
  const { rows } = await database.pool.query<PayableRenewal>(
    `SELECT r.id, r.page_token AS "pageToken", r.account_id AS "accountId", a.name AS "accountName", a.time_zone AS "timeZone", r.plan_name AS "planName",
            r.duration_days AS "durationDays", r.price_rupiah AS "priceRupiah",
            CASE WHEN r.state = 'pending' AND r.expires_at <= now() THEN 'expired' ELSE r.state END AS state,
            r.paid_at AS "paidAt", l.method, coalesce(p.starts_at, now()) AS "periodStart",
            coalesce(p.ends_at, greatest(now(), (SELECT max(ends_at) FROM subscription_periods WHERE account_id = r.account_id))
              + make_interval(days => r.duration_days)) AS "periodEnd"
     FROM renewals r JOIN accounts a ON a.id = r.account_id LEFT JOIN subscription_periods p ON p.id = r.period_id
       LEFT JOIN ledger_entries l ON l.renewal_id = r.id AND l.kind = 'charge'
     WHERE r.page_token = $1`,
    [pageToken],
  );
  return rows[0] ?? null;
}
