/** Whether an account must soon renew. The limits are those of the events `quota.low` and `plan.expiring`. */
import type { DashboardData } from '@kurir/contracts/dashboard';

export type Subscription = DashboardData<'listPlans'>['subscription'];
export type Low = 'ended' | 'noQuota' | 'littleQuota' | 'fewDays';

const littleQuota = 0.2;
const dayMs = 86_400_000;
const fewDays = 7;
/** A shorter period, such as a trial, is nearly over on its last day. */
const longDays = 8;

export function lowOf(subscription: Subscription): Low | null {
  if (subscription === null || subscription.days_left === 0) return 'ended';
  const { initial_quota: initial, remaining_quota: left, days_left: days, start_date, expiry_date } = subscription;
  if (left === 0) return 'noQuota';
  if (initial !== null && left !== null && left <= initial * littleQuota) return 'littleQuota';
  const isLong = Date.parse(expiry_date) - Date.parse(start_date) > longDays * dayMs;
  return days <= (isLong ? fewDays : 1) ? 'fewDays' : null;
}
