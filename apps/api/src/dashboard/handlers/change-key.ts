import { changeApiKey } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { checkAllowList, keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const changeKey: DashboardHandler<'changeKey'> = async ({ visitor, params, body }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  checkAllowList(body.allowedIps);
  if (!(await changeApiKey(database, accountId, params.api_key, body, { accountId, actor, action: 'key.changed' })))
    throw keyNotFound();
  return readShownKey(database, accountId, params.api_key);
};
