/**
 * Finds repeats. A request has its repeat key and place in the bulk, unique for its API key. It may have a `client_ref`,
 * unique in the account; that of a test key is apart. The first writer of a key wins; the key's row is locked until the
 * winner's statement ends.
 */
import { type ApiKeyId, isTestKey, type MessageId } from '@kurir/contracts';
import type pg from 'pg';
import type { SealingKeys } from '../accounts/account-keys.js';
import { hasFingerprint, messageAsked } from '../accounts/fingerprint.js';
import type { Database } from '../postgres/connect.js';
import type { AcceptedMessage, AcceptOutcome, NewMessage } from './new-message.js';

export type RequestKey = {
  /** Scope and value as one text. */
  readonly name: string;
  readonly scope: string;
  readonly value: Buffer;
};

/** The first message under a key, with the fingerprint of its request. */
export type Winner = { readonly messageId: MessageId; readonly deviceId: string; readonly fingerprint: Buffer | null };

export type WonKey = { readonly key: RequestKey; readonly winner: Winner };

const requestKey = (scope: string, value: Buffer): RequestKey => ({
  name: `${scope} ${value.toString('latin1')}`,
  scope,
  value,
});

function valueOf({ repeatKey, position }: NewMessage): Buffer {
  const value = Buffer.alloc(repeatKey.length + 2);
  repeatKey.copy(value);
  value.writeUInt16BE(position, repeatKey.length);
  return value;
}

/** The scopes of an account's `client_ref`. `account` is SQL for its id. */
export const refScopesOf = (account: string): string => `ARRAY[${account}, ${account} || ' test']`;

/** A test takes no `client_ref` from a message to a real person. */
const refScopeOf = ({ accountId, keyId }: NewMessage): string => (isTestKey(keyId) ? `${accountId} test` : accountId);

/** The key of the request comes before that of the `client_ref`. */
export function requestKeysOf(message: NewMessage): RequestKey[] {
  const ofRequest = requestKey(message.keyId, valueOf(message));
  const { clientRef } = message.input;
  if (clientRef === null) return [ofRequest];
  return [ofRequest, requestKey(refScopeOf(message), Buffer.from(clientRef, 'utf8'))];
}

/** The winners of those keys that are already taken, by name of the key. */
export async function readWinners(client: pg.PoolClient, keys: readonly RequestKey[]): Promise<Map<string, Winner>> {
  const { rows } = await client.query<{
    scope: string;
    value: Buffer;
    message_id: MessageId;
    device_id: string;
    fingerprint: Buffer | null;
  }>({
    name: 'read-request-keys',
    text: `SELECT k.scope, k.value, k.message_id, k.device_id, k.fingerprint
           FROM request_keys k JOIN unnest($1::text[], $2::bytea[]) AS asked (scope, value) USING (scope, value)`,
    values: [keys.map((key) => key.scope), keys.map((key) => key.value)],
  });
  return new Map(
    rows.map((row) => [
      requestKey(row.scope, row.value).name,
      { messageId: row.message_id, deviceId: row.device_id, fingerprint: row.fingerprint },
    ]),
  );
}

/** Inserts `$1` to `$5`; skips keys that are taken. */
export const insertKeysStatement = `
  INSERT INTO request_keys (scope, value, message_id, device_id, fingerprint)
  SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::bytea[])
  ON CONFLICT DO NOTHING`;

const inOrder = ({ key: a }: WonKey, { key: b }: WonKey) =>
  a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : Buffer.compare(a.value, b.value);

/** The values of `insertKeysStatement`. They are sorted, so that two writers do not deadlock. */
export function keyColumns(won: readonly WonKey[]): unknown[] {
  const sorted = won.toSorted(inOrder);
  return [
    sorted.map(({ key }) => key.scope),
    sorted.map(({ key }) => key.value),
    sorted.map(({ winner }) => winner.messageId),
    sorted.map(({ winner }) => winner.deviceId),
    sorted.map(({ winner }) => winner.fingerprint),
  ];
}

/** Writes keys of messages that are already stored. Returns false if some keys were taken; the others are written. */
export async function writeKeys(client: pg.PoolClient, won: readonly WonKey[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'insert-request-keys',
    text: insertKeysStatement,
    values: keyColumns(won),
  });
  return rowCount === won.length;
}

export type Standing = { readonly kind: 'fresh' } | Exclude<AcceptOutcome, AcceptedMessage>;

function isSameMessage(first: Winner, message: NewMessage, { fingerprintKey }: SealingKeys): boolean {
  return first.fingerprint !== null && hasFingerprint(fingerprintKey, messageAsked(message), first.fingerprint);
}

/** Returns whether a message is new, or which message came first under its keys. `keys` are those of the message. */
export function standingOf(
  message: NewMessage,
  keys: readonly RequestKey[],
  accountKeys: SealingKeys,
  winners: ReadonlyMap<string, Winner>,
): Standing {
  for (const { name, scope } of keys) {
    const first = winners.get(name);
    if (first === undefined) continue;
    const byRequest = scope === message.keyId;
    if (byRequest && first.deviceId !== message.deviceId) return { kind: 'refused', code: 'REPLAYED_REQUEST' };
    if (!byRequest && !isSameMessage(first, message, accountKeys))
      return { kind: 'refused', code: 'IDEMPOTENCY_KEY_REUSED', firstId: first.messageId };
    return { kind: 'repeated', messageId: first.messageId };
  }
  return { kind: 'fresh' };
}

/** Stores a signed request that must run only once. Returns false if it was stored before. */
export async function rememberRequest(database: Database, keyId: ApiKeyId, repeatKey: Buffer): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'remember-request',
    text: `INSERT INTO request_keys (scope, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    values: [keyId, repeatKey],
  });
  return rowCount === 1;
}
