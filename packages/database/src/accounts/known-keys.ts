/** The keys that go on working with a secret that a person saw. They matter when the person leaves or gets fewer rights. */
import type { AccountId, ApiKeyId } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from './audit.js';

export type KnownKey = { readonly id: ApiKeyId; readonly name: string; readonly revoked: boolean };

export type KnownKeysRule = {
  /** Whether the person may go on knowing a key with these scopes. */
  readonly mayKnow: (scopes: readonly string[]) => boolean;
  /** Revokes the keys, with these rows of the audit log. Null: they go on working. */
  readonly revoke: { readonly audit?: Audit | undefined } | null;
};

/**
 * Returns the live keys of the account that the person knows and may not know, oldest first. Revokes them if the rule
 * says so. Call it after the change of the membership, in its transaction: the change waits for secrets that are being
 * made.
 */
export async function endKnownKeys(
  client: pg.PoolClient,
  accountId: AccountId,
  userId: string,
  { mayKnow, revoke }: KnownKeysRule,
): Promise<KnownKey[]> {
  const { rows } = await client.query<{ id: ApiKeyId; name: string; scopes: string[] }>(
    `SELECT k.id, k.name, k.scopes FROM api_keys k WHERE k.account_id = $1 AND k.revoked_at IS NULL AND EXISTS (
       SELECT 1 FROM api_key_secrets s
       WHERE s.key_id = k.id AND s.created_by = $2 AND (s.expires_at IS NULL OR s.expires_at > now()))
     ORDER BY k.created_at, k.id FOR UPDATE OF k`,
    [accountId, userId],
  );
  const known = rows.filter(({ scopes }) => !mayKnow(scopes));
  if (revoke !== null) {
    await client.query('UPDATE api_keys SET revoked_at = now() WHERE id = ANY ($1::text[])', [
      known.map(({ id }) => id),
    ]);
    if (revoke.audit !== undefined) for (const { id } of known) await noteAudit(client, revoke.audit, id);
  }
  return known.map(({ id, name }) => ({ id, name, revoked: revoke !== null }));
}
