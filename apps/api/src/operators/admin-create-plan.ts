import { ApiError } from '@kurir/contracts';
import { createPlan, listPlans } from '@kurir/database';
import { requirePlan } from '../money/require-plan.js';
import { showPlan } from '../money/show-plan.js';
import type { Handler } from '../operations/operation-request.js';

export const adminCreatePlan: Handler<'adminCreatePlan'> = async ({ auditAs, body }, { database }) => {
  if ((await listPlans(database)).some(({ name }) => name === body.name))
    throw new ApiError('PLAN_NAME_TAKEN', 'Another plan has this name. Change that plan, or use another name.');
  // A plan belongs to no single account.
  const id = await createPlan(database, body, { ...auditAs('plan.created'), accountId: null });
  return showPlan(await requirePlan(database, id));
};
