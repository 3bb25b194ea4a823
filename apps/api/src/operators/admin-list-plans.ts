import { listPlans } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showPlan } from '../money/show-plan.js';

export const adminListPlans: Handler<'adminListPlans'> = async (_request, { database }) => ({
  plans: (await listPlans(database)).map(showPlan),
});
