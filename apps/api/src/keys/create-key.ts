import { createApiKey } from '@kurir/database';
import { makeApiKeyId, makeApiSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { checkAllowList } from './require-key.js';
import { readShownKey } from './show-key.js';

export const createKey: Handler<'createKey'> = async ({ caller, auditAs, body }, { database, sealer }) => {
  const { accountId } = caller;
  checkAllowList(body.allowedIps);
  const { mode, ...wanted } = body;
  const [id, secret] = [makeApiKeyId(mode), makeApiSecret(mode)];
  await createApiKey(database, sealer, { id, secret, accountId, ...wanted }, auditAs('key.created'));
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
