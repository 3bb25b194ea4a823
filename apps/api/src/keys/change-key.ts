import { changeApiKey } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { checkAllowList, refuseKeyOutcome } from './require-key.js';
import { readShownKey } from './show-key.js';

export const changeKey: Handler<'changeKey'> = async ({ caller, auditAs, params, body }, { database }) => {
  const { accountId, actor: changer } = caller;
  checkAllowList(body.allowedIps);
  const key = { keyId: params.api_key, accountId, changer };
  refuseKeyOutcome(await changeApiKey(database, key, body, auditAs('key.changed')));
  return readShownKey(database, accountId, params.api_key);
};
