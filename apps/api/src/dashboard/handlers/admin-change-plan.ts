import { changePlan, listPlans } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { planNotFound } from './choose-plan.js';
import { showPlan } from './show-plan.js';

export const adminChangePlan: DashboardHandler<'adminChangePlan'> = async ({ visitor, params, body }, { database }) => {
  const { plan_id: id } = params;
  if (!(await changePlan(database, id, body, { accountId: null, actor: visitor.user.id, action: 'plan.changed' })))
    throw planNotFound();
  const changed = (await listPlans(database)).find(({ planId }) => planId === id);
  if (changed === undefined) throw planNotFound();
  return showPlan(changed);
};
