import type { DashboardData } from '@kurir/contracts/dashboard';
import type { AccountInfo, PlanRow } from '@kurir/database';

type Shown = DashboardData<'listPlans'>;

export const showPlan = (plan: PlanRow): Shown['plans'][number] => ({
  plan_id: plan.planId,
  name: plan.name,
  type: plan.type,
  duration_days: plan.durationDays,
  price: plan.priceRupiah,
  quota: plan.quota,
  max_devices: plan.maxDevices,
  active: plan.active,
});

export const showSubscription = (info: AccountInfo): NonNullable<Shown['subscription']> => ({
  plan: info.planName,
  start_date: info.startsAt.toISOString(),
  expiry_date: info.endsAt.toISOString(),
  days_left: info.daysLeft,
  initial_quota: info.initialQuota,
  remaining_quota: info.remainingQuota,
});
