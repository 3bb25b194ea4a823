import { ApiError } from '@kurir/contracts';
import { type Database, listPlans, type PlanRow } from '@kurir/database';

export const planNotFound = () =>
  new ApiError('PLAN_NOT_FOUND', 'There is no such plan. Choose one from the list of plans.');

export async function requirePlan(database: Database, id: string): Promise<PlanRow> {
  const plan = (await listPlans(database)).find(({ planId }) => planId === id);
  if (plan === undefined) throw planNotFound();
  return plan;
}
