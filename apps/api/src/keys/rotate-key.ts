import type { ApiKeyId } from '@kurir/contracts';
import { rotateApiKeySecret } from '@kurir/database';
import { makeApiSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { refuseKeyOutcome } from './require-key.js';
import { readShownKey } from './show-key.js';

export const rotateKey: Handler<'rotateKey'> = async ({ caller, auditAs, params, body }, { database, sealer }) => {
  const { accountId, actor: maker } = caller;
  // A text that is not a key id finds no key.
  const id = params.api_key as ApiKeyId;
  const secret = makeApiSecret(id.startsWith('kk_live_') ? 'live' : 'test');
  const overlapSeconds = body.overlapHours * 3600;
  const key = { id, accountId, maker };
  refuseKeyOutcome(await rotateApiKeySecret(database, sealer, key, secret, overlapSeconds, auditAs('key.rotated')));
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
