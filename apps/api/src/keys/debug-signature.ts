import type { AccountId } from '@kurir/contracts';
import { type ApiKeyRow, listApiKeys, readApiKey, readEndedSecrets } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Handler } from '../operations/operation-request.js';
import { explainSignature, type Question } from './debugger/explain-signature.js';

type Secrets = Pick<Question, 'secrets' | 'isRevoked' | 'endedSecrets'>;

/** `key` is undefined if the account has no such key. */
async function readSecrets(
  { database, sealer }: Api,
  key: ApiKeyRow | undefined,
  accountId: AccountId,
): Promise<Secrets> {
  if (key === undefined) return { secrets: null, isRevoked: false, endedSecrets: [] };
  const [live, endedSecrets] = await Promise.all([
    readApiKey(database, sealer, key.id),
    readEndedSecrets(database, sealer, accountId, key.id),
  ]);
  return { secrets: live?.secrets ?? [], isRevoked: key.revokedAt !== null, endedSecrets };
}

export const debugSignature: Handler<'debugSignature'> = async ({ caller, body }, api) => {
  const { accountId } = caller;
  const [key] = await listApiKeys(api.database, accountId, body.apiKey.trim());
  const secrets = await readSecrets(api, key, accountId);
  return explainSignature({ ...body, ...secrets, publicUrl: api.addresses.publicUrl(), nowMs: api.now() });
};
