import { createApiKey } from '@kurir/database';
import { makeApiKeyId, makeApiSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { checkAllowList, refuseKeyOutcome } from './require-key.js';
import { readShownKey } from './show-key.js';

export const createKey: Handler<'createKey'> = async ({ caller, auditAs, body }, { database, sealer }) => {
  const { accountId, actor: maker } = caller;
  checkAllowList(body.allowedIps);
  const { mode, ...wanted } = body;
  const [id, secret] = [makeApiKeyId(mode), makeApiSecret(mode)];
  const key = { id, secret, accountId, maker, ...wanted };
  refuseKeyOutcome(await createApiKey(database, sealer, key, auditAs('key.created')));
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
