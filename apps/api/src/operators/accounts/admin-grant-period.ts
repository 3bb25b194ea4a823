import { grantPeriod } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { requirePlan } from '../../money/require-plan.js';
import { requireAccount } from './require-account.js';
import { showAccountRow } from './show-account-row.js';

export const adminGrantPeriod: Handler<'adminGrantPeriod'> = async ({ auditAs, params, body }, { database }) => {
  const { id: accountId } = await requireAccount(database, params.account_id);
  const plan = await requirePlan(database, body.planId);
  await grantPeriod(database, accountId, plan, { ...auditAs('period.granted'), accountId });
  return showAccountRow(await requireAccount(database, accountId));
};
