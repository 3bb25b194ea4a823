import { ApiError } from '@kurir/contracts';
import { grantPeriod, listAccountOverviews, listPlans } from '@kurir/database';
import type { Api } from '../../api.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { showAccountRow } from './admin-list-accounts.js';
import { planNotFound } from './choose-plan.js';

async function requireAccount({ database }: Api, accountId: string) {
  const { rows } = await listAccountOverviews(database, { search: null, limit: 1, cursor: null, accountId });
  const [account] = rows;
  if (account !== undefined) return account;
  throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no account of this id. Take one of the list.');
}

export const adminGrantPeriod: DashboardHandler<'adminGrantPeriod'> = async ({ visitor, params, body }, api) => {
  const { database } = api;
  const { id: accountId } = await requireAccount(api, params.account_id);
  const plan = (await listPlans(database)).find(({ planId }) => planId === body.planId);
  if (plan === undefined) throw planNotFound();
  await grantPeriod(database, accountId, plan, { accountId, actor: visitor.user.id, action: 'period.granted' });
  return showAccountRow(await requireAccount(api, accountId));
};
