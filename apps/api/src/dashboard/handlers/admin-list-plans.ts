import { listPlans } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showPlan } from './show-plan.js';

export const adminListPlans: DashboardHandler<'adminListPlans'> = async (_request, { database }) => ({
  plans: (await listPlans(database)).map(showPlan),
});
