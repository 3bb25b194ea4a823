/**
 * Quota: which period each message is taken from. What is left is read without a lock, and taken by the last statement of
 * the transaction if it is still there: whoever takes from the same period waits for a commit, and not until a bulk of a
 * thousand is stored. When it is not there any more, the transaction begins anew with the periods locked first.
 */
import type pg from 'pg';

export type Grant =
  | { readonly kind: 'granted'; readonly periodId: string | null }
  | { readonly kind: 'refused'; readonly code: 'PLAN_EXPIRED' | 'QUOTA_EXHAUSTED' };

export type OpenPeriod = { id: string; account_id: string; unlimited: boolean; remaining: number; taken: number };

/** Thrown when others took meanwhile what was granted; nothing was stored. */
export class QuotaTaken extends Error {
  override readonly name = 'QuotaTaken';

  constructor() {
    super('the quota was taken by others meanwhile');
  }
}

/** Locked until the transaction ends, or as they were committed last. */
export type PeriodsAre = 'locked' | 'as read';

/** Over the accounts `$1`: what their open periods have left. */
const openPeriods = (periodsAre: PeriodsAre) => `
  WITH limited AS (
    SELECT id, account_id, ends_at, initial_quota - taken_quota AS remaining FROM subscription_periods
    WHERE account_id = ANY ($1::text[]) AND starts_at <= now() AND ends_at > now() AND initial_quota IS NOT NULL
    ORDER BY account_id, ends_at, id ${periodsAre === 'locked' ? 'FOR UPDATE' : ''})
  SELECT id, account_id, ends_at, false AS unlimited, remaining, 0 AS taken FROM limited
  UNION ALL
  SELECT id, account_id, ends_at, true, 0, 0 FROM subscription_periods
  WHERE account_id = ANY ($1::text[]) AND starts_at <= now() AND ends_at > now() AND initial_quota IS NULL
  ORDER BY ends_at, id`;

/** The open periods of the accounts, those that end first in front. */
export async function readOpenPeriods(
  client: pg.PoolClient,
  accountIds: readonly string[],
  periodsAre: PeriodsAre,
): Promise<OpenPeriod[]> {
  const { rows } = await client.query<OpenPeriod>({
    name: periodsAre === 'locked' ? 'lock-open-periods' : 'read-open-periods',
    text: openPeriods(periodsAre),
    values: [accountIds],
  });
  return rows;
}

/** Takes what was granted. Rejects with `QuotaTaken` when one of the periods has less than that left. */
export async function takeQuota(client: pg.PoolClient, periods: readonly OpenPeriod[]): Promise<void> {
  const granted = periods.filter((period) => period.taken > 0);
  if (granted.length === 0) return;
  const { rowCount } = await client.query({
    name: 'take-quota',
    // In one order for all transactions, so that two of them cannot wait for each other.
    text: `WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::int[]) AS t (id, taken)),
             locked AS MATERIALIZED (
               SELECT p.id FROM subscription_periods p WHERE p.id = ANY ($1::uuid[])
               ORDER BY p.account_id, p.ends_at, p.id FOR UPDATE)
           UPDATE subscription_periods p SET taken_quota = p.taken_quota + asked.taken
           FROM locked JOIN asked USING (id)
           WHERE p.id = locked.id AND p.taken_quota + asked.taken <= p.initial_quota`,
    values: [granted.map((period) => period.id), granted.map((period) => period.taken)],
  });
  if (rowCount !== granted.length) throw new QuotaTaken();
}

/** From the account's period that ends first and still has something left. */
function grantFrom(periods: readonly OpenPeriod[]): Grant {
  if (periods.length === 0) return { kind: 'refused', code: 'PLAN_EXPIRED' };
  const period = periods.find((candidate) => candidate.unlimited || candidate.remaining > 0);
  if (period === undefined) return { kind: 'refused', code: 'QUOTA_EXHAUSTED' };
  if (period.unlimited) return { kind: 'granted', periodId: null };
  period.remaining--;
  period.taken++;
  return { kind: 'granted', periodId: period.id };
}

/** Grants one message's quota to each of the accounts, in order; outcomes in order. */
export function grantQuota(open: readonly OpenPeriod[], accountIds: readonly string[]): Grant[] {
  return accountIds.map((accountId) => grantFrom(open.filter((period) => period.account_id === accountId)));
}
