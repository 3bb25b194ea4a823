import { ApiError, limits } from '@kurir/contracts';
import { createApiKey } from '@kurir/database';
import { makeApiKeyId, makeApiSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { checkAllowList, refuseKeyOutcome } from './require-key.js';
import { readShownKey } from './show-key.js';

const tooManyKeys = () =>
  new ApiError(
    'KEY_LIMIT_REACHED',
    `An account may have ${limits.keysMax} live keys. Revoke a key that no program uses, then create this one.`,
  );

export const createKey: Handler<'createKey'> = async ({ caller, auditAs, body }, { database, sealer }) => {
  const { accountId, actor: maker } = caller;
  checkAllowList(body.allowedIps);
  const { mode, ...wanted } = body;
  const [id, secret] = [makeApiKeyId(mode), makeApiSecret(mode)];
  const key = { id, secret, accountId, maker, ...wanted };
  const outcome = await createApiKey(database, sealer, key, auditAs('key.created'));
  if (outcome === 'too-many') throw tooManyKeys();
  refuseKeyOutcome(outcome);
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
