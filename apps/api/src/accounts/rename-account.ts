import { renameAccount as rename } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

export const renameAccount: Handler<'renameAccount'> = async ({ caller, auditAs, body }, { database }) => {
  const { accountId } = caller;
  await rename(database, accountId, body.name, auditAs('account.renamed'));
  return { account_id: accountId, name: body.name };
};
