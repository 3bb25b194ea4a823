import type { ApiKeyId } from '@kurir/contracts';
import type { Database } from './connect.js';

/** Remembers a signed request that must not be done twice; false when it was seen before. */
export async function rememberRequest(database: Database, keyId: ApiKeyId, signature: Buffer): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'remember-request',
    text: `INSERT INTO request_keys (scope, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    values: [keyId, signature],
  });
  return rowCount === 1;
}
