import { listPlans as readPlans, readAccountInfo, readChosenPlan } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showPlan, showSubscription } from './show-plan.js';

export const listPlans: Handler<'listPlans'> = async ({ caller }, { database }) => {
  const { accountId } = caller;
  const [plans, chosen, info] = await Promise.all([
    readPlans(database),
    readChosenPlan(database, accountId),
    readAccountInfo(database, accountId),
  ]);
  return {
    plans: plans.filter((plan) => plan.active || plan.planId === chosen?.planId).map(showPlan),
    chosen_plan_id: chosen?.planId ?? null,
    subscription: info === null ? null : showSubscription(info),
  };
};
