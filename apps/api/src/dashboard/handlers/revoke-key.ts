import { revokeApiKey } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const revokeKey: DashboardHandler<'revokeKey'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  if (!(await revokeApiKey(database, accountId, params.api_key, { accountId, actor, action: 'key.revoked' })))
    throw keyNotFound();
  return readShownKey(database, accountId, params.api_key);
};
