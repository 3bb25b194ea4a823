import { listApiKeys } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showKey } from './show-key.js';

export const listKeys: DashboardHandler<'listKeys'> = async ({ visitor }, { database }) => {
  const keys = await listApiKeys(database, visitor.membership.accountId);
  return { keys: keys.map(showKey) };
};
