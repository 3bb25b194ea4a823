import { listApiKeys } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showKey } from './show-key.js';

export const listKeys: Handler<'listKeys'> = async ({ caller }, { database }) => {
  const keys = await listApiKeys(database, caller.accountId);
  return { keys: keys.map(showKey) };
};
