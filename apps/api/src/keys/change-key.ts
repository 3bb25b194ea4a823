import { changeApiKey } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { checkAllowList, keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const changeKey: Handler<'changeKey'> = async ({ caller, auditAs, params, body }, { database }) => {
  const { accountId } = caller;
  checkAllowList(body.allowedIps);
  if (!(await changeApiKey(database, accountId, params.api_key, body, auditAs('key.changed')))) throw keyNotFound();
  return readShownKey(database, accountId, params.api_key);
};
