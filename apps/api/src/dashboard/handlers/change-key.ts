import { changeApiKey, recordAudit } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { checkAllowList, keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const changeKey: DashboardHandler<'changeKey'> = async ({ visitor, params, body }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  checkAllowList(body.allowedIps);
  if (!(await changeApiKey(database, accountId, params.api_key, body))) throw keyNotFound();
  await recordAudit(database, { accountId, actor, action: 'key.changed', subject: params.api_key });
  return readShownKey(database, accountId, params.api_key);
};
