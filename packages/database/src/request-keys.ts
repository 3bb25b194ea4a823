/**
 * What makes a repeat a repeat: the signature with its place in a bulk, per key, and `client_ref`, per account. Who writes
 * one first decides; its row is locked until that transaction is over.
 */
import type { ApiKeyId, MessageId } from '@kurir/contracts';
import type pg from 'pg';
import type { Database } from './connect.js';
import type { AcceptedMessage, AcceptOutcome, NewMessage } from './new-message.js';

type RequestKey = {
  readonly scope: string;
  readonly value: Buffer;
  readonly message: NewMessage;
};

export type Winner = { readonly messageId: MessageId; readonly deviceId: string; readonly fingerprint: Buffer | null };

const keyName = (scope: string, value: Buffer) => `${scope} ${value.toString('latin1')}`;

function signatureValue(message: NewMessage): Buffer {
  const value = Buffer.alloc(message.signature.length + 2);
  message.signature.copy(value);
  value.writeUInt16BE(message.position, message.signature.length);
  return value;
}

export function requestKeysOf(message: NewMessage): RequestKey[] {
  const signature = { scope: message.keyId, value: signatureValue(message), message };
  const { clientRef } = message.input;
  return clientRef === null
    ? [signature]
    : [signature, { scope: message.accountId, value: Buffer.from(clientRef, 'utf8'), message }];
}

/** One order for all transactions, so that two of them cannot wait for each other. */
export function sortKeys(keys: RequestKey[]): RequestKey[] {
  return keys.sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : Buffer.compare(a.value, b.value)));
}

/** Writes the keys that are new; true when all were. Waits for a concurrent transaction that holds the same key. */
export async function insertKeys(client: pg.PoolClient, keys: readonly RequestKey[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'insert-request-keys',
    text: `INSERT INTO request_keys (scope, value, message_id, device_id, fingerprint)
           SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::bytea[])
           ON CONFLICT DO NOTHING`,
    values: [
      keys.map((key) => key.scope),
      keys.map((key) => key.value),
      keys.map((key) => key.message.id),
      keys.map((key) => key.message.deviceId),
      keys.map((key) => key.message.fingerprint),
    ],
  });
  return rowCount === keys.length;
}

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
      keyName(row.scope, row.value),
      { messageId: row.message_id, deviceId: row.device_id, fingerprint: row.fingerprint },
    ]),
  );
}

export type Standing = { readonly kind: 'fresh' } | Exclude<AcceptOutcome, AcceptedMessage>;

function isSameMessage(first: Winner, { fingerprint }: NewMessage): boolean {
  return first.fingerprint !== null && fingerprint !== null && first.fingerprint.equals(fingerprint);
}

/** Whether a message is new, or who came first under its signature or its `client_ref`. */
export function standingOf(message: NewMessage, winners: ReadonlyMap<string, Winner>): Standing {
  if (winners.size === 0) return { kind: 'fresh' };
  for (const { scope, value } of requestKeysOf(message)) {
    const first = winners.get(keyName(scope, value));
    if (first === undefined || first.messageId === message.id) continue;
    const bySignature = scope === message.keyId;
    if (bySignature && first.deviceId !== message.deviceId) return { kind: 'refused', code: 'REPLAYED_REQUEST' };
    if (!bySignature && !isSameMessage(first, message)) return { kind: 'refused', code: 'IDEMPOTENCY_KEY_REUSED' };
    return { kind: 'repeated', messageId: first.messageId };
  }
  return { kind: 'fresh' };
}

/** Takes back the keys of messages that were not stored; the next try under them is a first one. */
export async function deleteKeys(client: pg.PoolClient, messages: readonly NewMessage[]): Promise<void> {
  const keys = messages.flatMap(requestKeysOf);
  await client.query({
    text: `DELETE FROM request_keys k USING unnest($1::text[], $2::bytea[], $3::text[]) AS gone (scope, value, message_id)
           WHERE k.scope = gone.scope AND k.value = gone.value AND k.message_id = gone.message_id`,
    values: [keys.map((k) => k.scope), keys.map((k) => k.value), keys.map((k) => k.message.id)],
  });
}

/** A repeat under a signature or a `client_ref` of its own: from now on those have the same first answer. */
export async function keepKeys(
  client: pg.PoolClient,
  repeats: readonly { message: NewMessage; first: MessageId }[],
): Promise<void> {
  const keys = repeats.flatMap(({ message, first }) => requestKeysOf(message).map((key) => ({ ...key, first })));
  await client.query({
    text: `INSERT INTO request_keys (scope, value, message_id, device_id, fingerprint)
           SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::bytea[]) ON CONFLICT DO NOTHING`,
    values: [
      keys.map((key) => key.scope),
      keys.map((key) => key.value),
      keys.map((key) => key.first),
      keys.map((key) => key.message.deviceId),
      keys.map((key) => key.message.fingerprint),
    ],
  });
}

/** Remembers a signed request that must not be done twice; false when it was seen before. */
export async function rememberRequest(database: Database, keyId: ApiKeyId, signature: Buffer): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'remember-request',
    text: `INSERT INTO request_keys (scope, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    values: [keyId, signature],
  });
  return rowCount === 1;
}
