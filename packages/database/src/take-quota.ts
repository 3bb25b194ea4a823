/**
 * Quota: which period each message is taken from. The rows of limited periods are locked, in one order, until
 * the transaction ends; each is written once however many messages it pays for.
 */
import type pg from 'pg';

export type Grant =
  | { readonly kind: 'granted'; readonly periodId: string | null }
  | { readonly kind: 'refused'; readonly code: 'PLAN_EXPIRED' | 'QUOTA_EXHAUSTED' };

export type OpenPeriod = { id: string; account_id: string; unlimited: boolean; remaining: number; taken: number };

/** Locks the limited open periods of the accounts, and answers them with the unlimited ones, those that end first in front. */
export async function lockOpenPeriods(client: pg.PoolClient, accountIds: readonly string[]): Promise<OpenPeriod[]> {
  const { rows } = await client.query<OpenPeriod>({
    name: 'lock-open-periods',
    text: `WITH limited AS (
             SELECT id, account_id, ends_at, initial_quota - taken_quota AS remaining FROM subscription_periods
             WHERE account_id = ANY ($1::text[]) AND starts_at <= now() AND ends_at > now() AND initial_quota IS NOT NULL
             ORDER BY account_id, ends_at, id FOR UPDATE)
           SELECT id, account_id, ends_at, false AS unlimited, remaining, 0 AS taken FROM limited
           UNION ALL
           SELECT id, account_id, ends_at, true, 0, 0 FROM subscription_periods
           WHERE account_id = ANY ($1::text[]) AND starts_at <= now() AND ends_at > now() AND initial_quota IS NULL
           ORDER BY ends_at, id`,
    values: [accountIds],
  });
  return rows;
}

/** Writes what was granted from locked periods. */
export async function writeTaken(client: pg.PoolClient, periods: readonly OpenPeriod[]): Promise<void> {
  const changed = periods.filter((period) => period.taken > 0);
  if (changed.length === 0) return;
  await client.query({
    name: 'take-quota',
    text: `UPDATE subscription_periods p SET taken_quota = p.taken_quota + t.taken
           FROM unnest($1::uuid[], $2::int[]) AS t (id, taken) WHERE p.id = t.id`,
    values: [changed.map((period) => period.id), changed.map((period) => period.taken)],
  });
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
