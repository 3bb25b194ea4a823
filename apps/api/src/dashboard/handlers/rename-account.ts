import { renameAccount as rename } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';

export const renameAccount: DashboardHandler<'renameAccount'> = async ({ visitor, body }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  await rename(database, accountId, body.name, { accountId, actor, action: 'account.renamed' });
  return { account_id: accountId, name: body.name };
};
