import { choosePlan as choose } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { planNotFound, requirePlan } from './require-plan.js';
import { showPlan } from './show-plan.js';

export const choosePlan: Handler<'choosePlan'> = async ({ caller, auditAs, params }, { database }) => {
  const plan = await requirePlan(database, params.plan_id);
  if (!plan.active) throw planNotFound();
  await choose(database, caller.accountId, plan.planId, auditAs('plan.chosen'));
  return showPlan(plan);
};
