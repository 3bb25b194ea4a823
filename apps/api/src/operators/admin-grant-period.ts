import { ApiError } from '@kurir/contracts';
import { grantPeriod, listAccountOverviews } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Handler } from '../operations/operation-request.js';
import { showAccountRow } from './show-account-row.js';
import { requirePlan } from '../money/require-plan.js';

async function requireAccount({ database }: Api, accountId: string) {
  const { rows } = await listAccountOverviews(database, { search: null, limit: 1, cursor: null, accountId });
  const [account] = rows;
  if (account !== undefined) return account;
  throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no account with this id. Choose one from the list of accounts.');
}

export const adminGrantPeriod: Handler<'adminGrantPeriod'> = async ({ auditAs, params, body }, api) => {
  const { database } = api;
  const { id: accountId } = await requireAccount(api, params.account_id);
  const plan = await requirePlan(database, body.planId);
  await grantPeriod(database, accountId, plan, { ...auditAs('period.granted'), accountId });
  return showAccountRow(await requireAccount(api, accountId));
};
