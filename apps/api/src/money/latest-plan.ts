import { ApiError } from '@kurir/contracts';
import { readCheapestPlan, readChosenPlan } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { quotaText } from './quota-text.js';

export const latestPlan: Handler<'latestPlan'> = async ({ caller }, { database }) => {
  const plan = (await readChosenPlan(database, caller.accountId)) ?? (await readCheapestPlan(database));
  if (plan === null)
    throw new ApiError(
      'NO_PLAN_CHOSEN',
      'There is no plan to show yet. Ask the operator of this gateway to create one.',
    );
  return {
    plan_name: plan.name,
    plan_type: plan.type,
    duration: `${plan.durationDays} hari`,
    price: plan.priceRupiah,
    quota: quotaText(plan.quota),
  };
};
