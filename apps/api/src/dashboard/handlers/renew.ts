import { renewChosenPlan } from '../../handlers/renew-account.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownRenewal } from '../../handlers/get-renewal.js';

export const renew: DashboardHandler<'renew'> = async ({ visitor }, api) => {
  const acting = actingFor(visitor);
  const { id } = await renewChosenPlan(api, acting);
  return readShownRenewal(api.database, acting.accountId, id);
};
