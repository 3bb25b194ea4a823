import { revokeApiKey } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const revokeKey: Handler<'revokeKey'> = async ({ caller, auditAs, params }, { database }) => {
  const { accountId } = caller;
  if (!(await revokeApiKey(database, accountId, params.api_key, auditAs('key.revoked')))) throw keyNotFound();
  return readShownKey(database, accountId, params.api_key);
};
