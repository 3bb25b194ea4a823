/**
 * Quota: which period each message is taken from. What is left is read, usually without a lock; store-messages.ts takes it
 * with the messages, if it is still there then.
 */
import type pg from 'pg';

export type Grant =
  | { readonly kind: 'granted'; readonly periodId: string | null }
  | { readonly kind: 'refused'; readonly code: 'PLAN_EXPIRED' | 'QUOTA_EXHAUSTED' };

/** `taken`: by those who were granted from it since it was read. */
export type OpenPeriod = { id: string; account_id: string; unlimited: boolean; remaining: number; taken: number };

/** Over `subscription_periods p`. Every statement that locks several periods uses this order, so that two cannot deadlock. */
export const inPeriodOrder = 'ORDER BY p.account_id, p.ends_at, p.id';

/** As they were committed last, or locked until the transaction ends. */
export type PeriodsAre = 'as read' | 'locked';

/** The open periods of the accounts; of each account those that end first in front. Locked in this order, as everywhere. */
export async function readOpenPeriods(
  client: pg.PoolClient,
  accountIds: readonly string[],
  periodsAre: PeriodsAre,
): Promise<OpenPeriod[]> {
  const { rows } = await client.query<OpenPeriod>({
    name: periodsAre === 'locked' ? 'lock-open-periods' : 'read-open-periods',
    text: `SELECT p.id, p.account_id, p.initial_quota IS NULL AS unlimited,
                  COALESCE(p.initial_quota - p.taken_quota, 0) AS remaining, 0 AS taken
           FROM subscription_periods p
           WHERE p.account_id = ANY ($1::text[]) AND p.starts_at <= now() AND p.ends_at > now()
           ${inPeriodOrder} ${periodsAre === 'locked' ? 'FOR UPDATE' : ''}`,
    values: [accountIds],
  });
  return rows;
}

/** One message's quota, from the account's period that ends first and still has something left. */
export function grantQuota(open: readonly OpenPeriod[], accountId: string): Grant {
  const periods = open.filter((period) => period.account_id === accountId);
  if (periods.length === 0) return { kind: 'refused', code: 'PLAN_EXPIRED' };
  const period = periods.find((candidate) => candidate.unlimited || candidate.remaining > 0);
  if (period === undefined) return { kind: 'refused', code: 'QUOTA_EXHAUSTED' };
  if (period.unlimited) return { kind: 'granted', periodId: null };
  period.remaining--;
  period.taken++;
  return { kind: 'granted', periodId: period.id };
}
