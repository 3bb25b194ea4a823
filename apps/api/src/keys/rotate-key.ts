import type { ApiKeyId } from '@kurir/contracts';
import { rotateApiKeySecret } from '@kurir/database';
import { makeApiSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { keyNotFound } from './require-key.js';
import { readShownKey } from './show-key.js';

export const rotateKey: Handler<'rotateKey'> = async ({ caller, auditAs, params, body }, { database, sealer }) => {
  const { accountId } = caller;
  // A text that is not a key id finds no key.
  const id = params.api_key as ApiKeyId;
  const secret = makeApiSecret(id.startsWith('kk_live_') ? 'live' : 'test');
  if (
    !(await rotateApiKeySecret(
      database,
      sealer,
      { id, accountId },
      secret,
      body.overlapHours * 3600,
      auditAs('key.rotated'),
    ))
  )
    throw keyNotFound();
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
