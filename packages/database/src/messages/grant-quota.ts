/**
 * Chooses the period that pays for each message. Usually this reads the quota without a lock; `store-messages.ts` then
 * takes it in the statement that stores the messages, if it is still there.
 */
import type pg from 'pg';

export type Grant =
  | { readonly kind: 'granted'; readonly periodId: string | null }
  | { readonly kind: 'refused'; readonly code: 'PLAN_EXPIRED' | 'QUOTA_EXHAUSTED' };

/** A message of a test key costs nothing and needs no plan. */
export const free: Grant = { kind: 'granted', periodId: null };

/** `taken`: messages of this batch that the period pays for. */
export type OpenPeriod = { id: string; account_id: string; unlimited: boolean; remaining: number; taken: number };

/**
 * Over `subscription_periods p`. Each statement that locks several periods uses this order, so that two of them do not
 * deadlock.
 */
export const inPeriodOrder = 'ORDER BY p.account_id, p.ends_at, p.id';

/** As last committed, or locked until the transaction ends. */
export type PeriodsAre = 'as read' | 'locked';

/** The open periods of the accounts, in the order of locks. An account's periods that end first come first. */
export async function readOpenPeriods(
  client: pg.PoolClient,
  accountIds: readonly string[],
  periodsAre: PeriodsAre,
): Promise<OpenPeriod[]> {
  const { rows } = await client.query<OpenPeriod>({
    name: periodsAre === 'locked' ? 'lock-open-periods' : 'read-open-periods',
    text: `SELECT p.id, p.account_id, p.initial_quota IS NULL AS unlimited,
                  COALESCE(p.initial_quota - p.taken_quota - p.reserved_quota, 0) AS remaining, 0 AS taken
           FROM subscription_periods p
           WHERE p.account_id = ANY ($1::text[]) AND p.starts_at <= now() AND p.ends_at > now()
           ${inPeriodOrder} ${periodsAre === 'locked' ? 'FOR UPDATE' : ''}`,
    values: [accountIds],
  });
  return rows;
}

/** Takes one message from the account's period that ends first and has quota left. */
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
