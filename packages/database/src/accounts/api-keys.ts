/**
 * API keys. Prisma makes and changes them; the api reads them on every request through a short cache. A secret is shown
 * once, when it is made. It is stored sealed, not hashed, because HMAC needs the secret itself.
 */
import { type AccountId, type ApiKeyId, limits, type Scope, type UserId } from '@kurir/contracts';
import { type MemberRole, mayGiveScope, mayKnowKey } from '@kurir/contracts/dashboard';
import type { Prisma } from '../generated/client.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { type Audit, auditRow } from './audit.js';

export type LiveApiKey = {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  /** The country of the account. */
  readonly country: string;
  /** An operator has suspended the account. */
  readonly suspended: boolean;
  /** Empty: everything. */
  readonly scopes: readonly string[];
  readonly allowedIps: readonly string[];
  /** One or two, newest first. During a rotation the old one still works. */
  readonly secrets: readonly { readonly version: number; readonly secret: string }[];
};

export const secretAad = (accountId: string, keyId: string, version: number) =>
  `api-key|${accountId}|${keyId}|${version}`;

type KeyRow = {
  id: ApiKeyId;
  account_id: AccountId;
  country: string;
  suspended: boolean;
  scopes: string[];
  allowed_ips: string[];
  versions: number[];
  sealed: Buffer[];
};

/** The key with its live secrets opened. Null if it is unknown, revoked or has no live secret. */
export async function readApiKey(database: Database, sealer: Sealer, keyId: string): Promise<LiveApiKey | null> {
  const { rows } = await database.pool.query<KeyRow>({
    name: 'read-api-key',
    text: `SELECT k.id, k.account_id, a.country, a.suspended_at IS NOT NULL AS suspended, k.scopes, k.allowed_ips, s.versions, s.sealed
           FROM api_keys k JOIN accounts a ON a.id = k.account_id
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
  const { id, account_id: accountId, country, suspended, scopes, allowed_ips: allowedIps } = row;
  return { id, accountId, country, suspended, scopes, allowedIps, secrets };
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

type Transaction = Prisma.TransactionClient;

/** `not-allowed`: the role of the person is too low, or the person has left the account. */
export type KeyOutcome = 'done' | 'not-found' | 'not-allowed';

/**
 * Locks and returns the role of the person, or null for somebody who is no member. A removal or another role waits for
 * this transaction, so that it sees the new secret. The command line, which is no person, may do what an owner may.
 */
async function lockRole(tx: Transaction, accountId: AccountId, person: UserId | undefined): Promise<MemberRole | null> {
  if (person === undefined) return 'owner';
  const [member] = await tx.$queryRaw<{ role: MemberRole }[]>`
    SELECT role FROM members WHERE account_id = ${accountId} AND user_id = ${person} FOR SHARE`;
  return member?.role ?? null;
}

/** Locks a live key of the account and returns its scopes, or null. Lock the role first, as a removal does. */
async function lockKey(tx: Transaction, accountId: AccountId, keyId: string): Promise<readonly string[] | null> {
  const [key] = await tx.$queryRaw<{ scopes: string[] }[]>`
    SELECT scopes FROM api_keys WHERE id = ${keyId} AND account_id = ${accountId} AND revoked_at IS NULL FOR UPDATE`;
  return key?.scopes ?? null;
}

export type NewApiKey = {
  readonly id: ApiKeyId;
  readonly secret: string;
  readonly accountId: AccountId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly allowedIps: readonly string[];
  /** The person who makes the key and sees its secret. Absent: the command line. */
  readonly maker?: UserId;
};

/** Creates a key, if the maker may have such a key. A person may not create more live keys than `limits.keysMax`. */
export async function createApiKey(
  { prisma }: Database,
  sealer: Sealer,
  key: NewApiKey,
  audit?: Audit,
): Promise<'done' | 'not-allowed' | 'too-many'> {
  const { id, accountId, name, maker } = key;
  const sealed = sealSecret(sealer, accountId, id, 1, key.secret);
  const made = { createdBy: maker ?? null };
  return prisma.$transaction(async (tx) => {
    // First, as a removal of the maker locks it first.
    const live = maker === undefined ? 0 : await lockAndCountKeys(tx, accountId);
    const role = await lockRole(tx, accountId, maker);
    if (role === null || !mayKnowKey(role, key.scopes)) return 'not-allowed';
    if (live >= limits.keysMax) return 'too-many';
    const [scopes, allowedIps] = [[...key.scopes], [...key.allowedIps]];
    const secrets = { create: { version: 1, sealed, ...made } };
    await tx.apiKey.create({ data: { id, accountId, name, scopes, allowedIps, secrets, ...made } });
    if (audit !== undefined) await tx.auditEntry.create({ data: auditRow(audit, id) });
    return 'done';
  });
}

/** Counts the live keys. Makes others who count them wait until the transaction ends. */
async function lockAndCountKeys(tx: Prisma.TransactionClient, accountId: AccountId): Promise<number> {
  await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  return tx.apiKey.count({ where: { accountId, revokedAt: null } });
}

function sealSecret(sealer: Sealer, accountId: string, keyId: string, version: number, secret: string) {
  return new Uint8Array(sealer.seal(Buffer.from(secret, 'utf8'), secretAad(accountId, keyId, version)));
}

/**
 * Gives the key a new secret, if `maker`, who sees it, may have such a key. The present secret works for `overlapSeconds`
 * more, an older one ends now.
 */
export async function rotateApiKeySecret(
  database: Database,
  sealer: Sealer,
  key: Pick<NewApiKey, 'id' | 'accountId' | 'maker'>,
  secret: string,
  overlapSeconds: number,
  audit?: Audit,
): Promise<KeyOutcome> {
  const { id, accountId, maker } = key;
  return database.prisma.$transaction(async (tx) => {
    const role = await lockRole(tx, accountId, maker);
    // The row lock makes the second of two rotations wait for the first.
    const scopes = await lockKey(tx, accountId, id);
    if (scopes === null) return 'not-found';
    if (role === null || !mayKnowKey(role, scopes)) return 'not-allowed';
    await tx.$executeRaw`
      UPDATE api_key_secrets SET expires_at = CASE WHEN expires_at IS NULL THEN now() + make_interval(secs => ${overlapSeconds}) ELSE now() END
      WHERE key_id = ${key.id} AND (expires_at IS NULL OR expires_at > now())`;
    const newest = await tx.apiKeySecret.aggregate({ where: { keyId: key.id }, _max: { version: true } });
    const version = (newest._max.version ?? 0) + 1;
    const sealed = sealSecret(sealer, key.accountId, key.id, version, secret);
    await tx.apiKeySecret.create({ data: { keyId: key.id, version, sealed, createdBy: maker ?? null } });
    if (audit !== undefined) await tx.auditEntry.create({ data: auditRow(audit, key.id) });
    return 'done';
  });
}

/** Revokes a key. Returns false if the account has no such live key. */
export async function revokeApiKey(
  { prisma }: Database,
  accountId: AccountId,
  keyId: string,
  audit?: Audit,
): Promise<boolean> {
  const data = { revokedAt: new Date() };
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

/** Whether the role may give what the key cannot do yet. A list without scopes means everything. */
const mayAdd = (role: MemberRole, wanted: readonly Scope[], present: readonly string[]): boolean =>
  present.length === 0 ||
  (wanted.length === 0
    ? mayKnowKey(role, wanted)
    : wanted.every((scope) => present.includes(scope) || mayGiveScope(role, scope)));

/** Changes the given fields of a live key, if `changer` may give the key its new scopes. */
export async function changeApiKey(
  { prisma }: Database,
  key: { readonly keyId: string; readonly accountId: AccountId; readonly changer?: UserId },
  { name, scopes, allowedIps }: KeyChange,
  audit?: Audit,
): Promise<KeyOutcome> {
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(allowedIps === undefined ? {} : { allowedIps: [...allowedIps] }),
  };
  return prisma.$transaction(async (tx) => {
    const role = await lockRole(tx, key.accountId, key.changer);
    const present = await lockKey(tx, key.accountId, key.keyId);
    if (present === null) return 'not-found';
    if (role === null || (scopes !== undefined && !mayAdd(role, scopes, present))) return 'not-allowed';
    await tx.apiKey.update({ where: { id: key.keyId }, data });
    if (audit !== undefined) await tx.auditEntry.create({ data: auditRow(audit, key.keyId) });
    return 'done';
  });
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
