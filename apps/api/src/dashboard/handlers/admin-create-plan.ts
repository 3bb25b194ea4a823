import { ApiError } from '@kurir/contracts';
import { createPlan, listPlans } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { planNotFound } from './choose-plan.js';
import { showPlan } from './show-plan.js';

export const adminCreatePlan: DashboardHandler<'adminCreatePlan'> = async ({ visitor, body }, { database }) => {
  if ((await listPlans(database)).some(({ name }) => name === body.name))
    throw new ApiError('PLAN_NAME_TAKEN', 'Another plan has this name. Change that one, or use another name.');
  const id = await createPlan(database, body, { accountId: null, actor: visitor.user.id, action: 'plan.created' });
  const made = (await listPlans(database)).find(({ planId }) => planId === id);
  if (made === undefined) throw planNotFound();
  return showPlan(made);
};
