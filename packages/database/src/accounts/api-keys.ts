/**
 * API keys. Prisma makes and changes them; the api reads them on every request through a short cache. A secret is shown
 * once, when it is made. It is stored sealed, not hashed, because HMAC needs the secret itself.
 */
import type { AccountId, ApiKeyId, Scope } from '@kurir/contracts';
import type { Prisma } from '../generated/client.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { type Audit, auditRow, auditWrites } from './audit.js';

export type LiveApiKey = {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  /** Empty: everything. */
  readonly scopes: readonly string[];
  readonly allowedIps: readonly string[];
  /** One or two, newest first. During a rotation the old one still works. */
  readonly secrets: readonly { readonly version: number; readonly secret: string }[];
};

const secretAad = (accountId: string, keyId: string, version: number) => `api-key|${accountId}|${keyId}|${version}`;

type KeyRow = {
  id: ApiKeyId;
  account_id: AccountId;
  scopes: string[];
  allowed_ips: string[];
  versions: number[];
  sealed: Buffer[];
};

/** The key with its live secrets opened. Null if it is unknown, revoked or has no live secret. */
export async function readApiKey(database: Database, sealer: Sealer, keyId: string): Promise<LiveApiKey | null> {
  const { rows } = await database.pool.query<KeyRow>({
    name: 'read-api-key',
    text: `SELECT k.id, k.account_id, k.scopes, k.allowed_ips, s.versions, s.sealed FROM api_keys k
           JOIN LATERAL (
             SELECT array_agg(version ORDER BY version DESC) AS versions, array_agg(sealed ORDER BY version DESC) AS sealed
             FROM api_key_secrets WHERE key_id = k.id AND (expires_at IS NULL OR expires_at > now())) s ON s.versions IS NOT NULL
           WHERE k.id = $1 AND k.revoked_at IS NULL`,
    values: [keyId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const secrets = row.versions.flatMap((version, i) => {
    const sealed = row.sealed[i];
    return sealed === undefined
      ? []
      : [{ version, secret: sealer.open(sealed, secretAad(row.account_id, row.id, version)).toString('utf8') }];
  });
  return { id: row.id, accountId: row.account_id, scopes: row.scopes, allowedIps: row.allowed_ips, secrets };
}

/** Notes that secrets were used, so that a customer knows when a rotation may end. */
export async function noteSecretsUsed(
  database: Database,
  used: readonly { readonly keyId: string; readonly version: number }[],
): Promise<void> {
  await database.pool.query({
    name: 'note-secrets-used',
    text: `UPDATE api_key_secrets s SET last_used_at = now() FROM unnest($1::text[], $2::int[]) AS t (key_id, version)
           WHERE s.key_id = t.key_id AND s.version = t.version`,
    values: [used.map((use) => use.keyId), used.map((use) => use.version)],
  });
}

export type NewApiKey = {
  readonly id: ApiKeyId;
  readonly secret: string;
  readonly accountId: AccountId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly allowedIps: readonly string[];
};

export async function createApiKey(database: Database, sealer: Sealer, key: NewApiKey, audit?: Audit): Promise<void> {
  const { prisma } = database;
  const created = prisma.apiKey.create({
    data: {
      id: key.id,
      accountId: key.accountId,
      name: key.name,
      scopes: [...key.scopes],
      allowedIps: [...key.allowedIps],
      secrets: { create: { version: 1, sealed: sealSecret(sealer, key.accountId, key.id, 1, key.secret) } },
    },
  });
  await prisma.$transaction([created, ...auditWrites(database, audit, key.id)]);
}

function sealSecret(sealer: Sealer, accountId: string, keyId: string, version: number, secret: string) {
  return new Uint8Array(sealer.seal(Buffer.from(secret, 'utf8'), secretAad(accountId, keyId, version)));
}

/**
 * Gives the key a new secret. The present one works for `overlapSeconds` more, an older one ends now. Returns false if
 * the account has no such key.
 */
export async function rotateApiKeySecret(
  database: Database,
  sealer: Sealer,
  key: { readonly id: ApiKeyId; readonly accountId: AccountId },
  secret: string,
  overlapSeconds: number,
  audit?: Audit,
): Promise<boolean> {
  return database.prisma.$transaction(async (tx) => {
    // The row lock makes the second of two rotations wait for the first.
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM api_keys WHERE id = ${key.id} AND account_id = ${key.accountId} AND revoked_at IS NULL FOR UPDATE`;
    if (locked.length === 0) return false;
    await tx.$executeRaw`
      UPDATE api_key_secrets SET expires_at = CASE WHEN expires_at IS NULL THEN now() + make_interval(secs => ${overlapSeconds}) ELSE now() END
      WHERE key_id = ${key.id} AND (expires_at IS NULL OR expires_at > now())`;
    const newest = await tx.apiKeySecret.aggregate({ where: { keyId: key.id }, _max: { version: true } });
    const version = (newest._max.version ?? 0) + 1;
    await tx.apiKeySecret.create({
      data: { keyId: key.id, version, sealed: sealSecret(sealer, key.accountId, key.id, version, secret) },
    });
    if (audit !== undefined) await tx.auditEntry.create({ data: auditRow(audit, key.id) });
    return true;
  });
}

/** Revokes a key. Returns false if the account has no such live key. */
export async function revokeApiKey(
  database: Database,
  accountId: AccountId,
  keyId: string,
  audit?: Audit,
): Promise<boolean> {
  return updateKey(database, { accountId, keyId }, { revokedAt: new Date() }, audit);
}

/** Changes a live key of the account. Returns false if there is none with this id. */
function updateKey(
  { prisma }: Database,
  { accountId, keyId }: { readonly accountId: AccountId; readonly keyId: string },
  data: Prisma.ApiKeyUpdateManyMutationInput,
  audit: Audit | undefined,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const { count } = await tx.apiKey.updateMany({ where: { id: keyId, accountId, revokedAt: null }, data });
    if (audit !== undefined && count === 1) await tx.auditEntry.create({ data: auditRow(audit, keyId) });
    return count === 1;
  });
}

export type KeyChange = {
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly allowedIps?: readonly string[] | undefined;
};

/** Changes the given fields. Returns false if the account has no such live key. */
export async function changeApiKey(
  database: Database,
  accountId: AccountId,
  keyId: string,
  { name, scopes, allowedIps }: KeyChange,
  audit?: Audit,
): Promise<boolean> {
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(allowedIps === undefined ? {} : { allowedIps: [...allowedIps] }),
  };
  return updateKey(database, { accountId, keyId }, data, audit);
}

/**
 * The secrets of the account's key that no longer work, newest first. The api uses them to tell a caller why it is
 * refused.
 */
export async function readEndedSecrets(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
  keyId: string,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ version: number; sealed: Buffer }>(
    `SELECT s.version, s.sealed FROM api_keys k JOIN api_key_secrets s ON s.key_id = k.id
     WHERE k.account_id = $1 AND k.id = $2 AND s.expires_at <= now() ORDER BY s.version DESC LIMIT 5`,
    [accountId, keyId],
  );
  return rows.map(({ version, sealed }) => sealer.open(sealed, secretAad(accountId, keyId, version)).toString('utf8'));
}
