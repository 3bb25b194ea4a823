import type { AccountId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { resumeAccount, suspendAccount } from '@kurir/database/operators';
import type { Handler } from '../../operations/operation-request.js';
import { noSuchAccount, requireAccount } from './require-account.js';
import { showAccountRow } from './show-account-row.js';

const showAnew = async (database: Database, accountId: AccountId) =>
  showAccountRow(await requireAccount(database, accountId));

export const adminSuspendAccount: Handler<'adminSuspendAccount'> = async ({ auditAs, params, body }, { database }) => {
  const { id: accountId } = await requireAccount(database, params.account_id);
  const audit = { ...auditAs('account.suspended'), accountId };
  if (!(await suspendAccount(database, accountId, body.reason, audit))) throw noSuchAccount();
  return showAnew(database, accountId);
};

/** An account that is not suspended stays as it is. */
export const adminResumeAccount: Handler<'adminResumeAccount'> = async ({ auditAs, params }, { database }) => {
  const { id: accountId } = await requireAccount(database, params.account_id);
  await resumeAccount(database, accountId, { ...auditAs('account.resumed'), accountId });
  return showAnew(database, accountId);
};
