import { ApiError } from '@kurir/contracts';
import { choosePlan as choose, listPlans } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { showPlan } from './show-plan.js';

export const planNotFound = () => new ApiError('PLAN_NOT_FOUND', 'There is no such plan. Choose one of the list.');

export const choosePlan: DashboardHandler<'choosePlan'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  const plan = (await listPlans(database)).find(({ planId, active }) => active && planId === params.plan_id);
  if (plan === undefined) throw planNotFound();
  await choose(database, accountId, plan.planId, { accountId, actor, action: 'plan.chosen' });
  return showPlan(plan);
};
