import { changePlan } from '@kurir/database';
import { planNotFound, requirePlan } from '../money/require-plan.js';
import { showPlan } from '../money/show-plan.js';
import type { Handler } from '../operations/operation-request.js';

export const adminChangePlan: Handler<'adminChangePlan'> = async ({ auditAs, params, body }, { database }) => {
  const { plan_id: id } = params;
  // A plan belongs to no single account.
  const audit = { ...auditAs('plan.changed'), accountId: null };
  if (!(await changePlan(database, id, body, audit))) throw planNotFound();
  return showPlan(await requirePlan(database, id));
};
