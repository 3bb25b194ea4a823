import { recordAudit, renameAccount as rename } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';

export const renameAccount: DashboardHandler<'renameAccount'> = async ({ visitor, body }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  await rename(database, accountId, body.name);
  await recordAudit(database, { accountId, actor, action: 'account.renamed', subject: accountId });
  return { account_id: accountId, name: body.name };
};
