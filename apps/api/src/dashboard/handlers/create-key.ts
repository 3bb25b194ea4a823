import { createApiKey } from '@kurir/database';
import { makeApiKeyId, makeApiSecret } from '@kurir/signing';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { checkAllowList } from './require-key.js';
import { readShownKey } from './show-key.js';

export const createKey: DashboardHandler<'createKey'> = async ({ visitor, body }, { database, sealer }) => {
  const { accountId, actor } = actingFor(visitor);
  checkAllowList(body.allowedIps);
  const { mode, ...wanted } = body;
  const [id, secret] = [makeApiKeyId(mode), makeApiSecret(mode)];
  await createApiKey(
    database,
    sealer,
    { id, secret, accountId, ...wanted },
    { accountId, actor, action: 'key.created' },
  );
  return { key: await readShownKey(database, accountId, id), api_secret: secret };
};
