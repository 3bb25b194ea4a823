/**
 * Step 3, accept: one transaction in which messages are stored, their quota is taken and their repeats are
 * recognised. It may assume verified, validated input. Run twice with the same signature or `client_ref` it
 * stores nothing and gives the first answer, whatever has become of plan, quota and device since.
 *
 * Locks are always taken in the order request keys, periods; new message rows are seen by nobody yet.
 */
import {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  type ErrorCode,
  limits,
  type MessageId,
  type MessagePriority,
  type SendInput,
  type UserId,
} from '@kurir/contracts';
import type pg from 'pg';
import { type Database, inTransaction, isUnavailable } from './connect.js';
import { acceptsSends } from './device-condition.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { networkMessageIdOf } from './network-message-id.js';
import { grantQuota, lockOpenPeriods, type OpenPeriod, writeTaken } from './take-quota.js';

export type NewMessage = {
  readonly id: MessageId;
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  /** Who sent it: a key or, from the dashboard, a person. */
  readonly keyId: ApiKeyId | UserId;
  readonly requestId: string;
  /** The decoded signature and the place in a bulk (0 for a single send): together they name one message of one request. */
  readonly signature: Buffer;
  readonly position: number;
  /** SHA-256 of device and parsed fields, for a message with a `client_ref`; nobody asks for that of another. */
  readonly fingerprint: Buffer | null;
  readonly input: SendInput;
};

export type AcceptedMessage = {
  readonly kind: 'accepted';
  readonly messageId: MessageId;
  readonly seq: bigint;
  readonly expiresAt: Date | null;
};

export type AcceptOutcome =
  | AcceptedMessage
  | { readonly kind: 'repeated'; readonly messageId: MessageId }
  | { readonly kind: 'refused'; readonly code: AcceptRefusal };

export type AcceptRefusal = Extract<
  ErrorCode,
  /** Its `send_at` lies in the past. */
  | 'INVALID_REQUEST'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_NOT_CONNECTED'
  | 'PLAN_EXPIRED'
  | 'QUOTA_EXHAUSTED'
  | 'REPLAYED_REQUEST'
  | 'IDEMPOTENCY_KEY_REUSED'
>;

export const priorityRanks: Record<MessagePriority, number> = { otp: 0, normal: 1, bulk: 2 };

type RequestKey = {
  readonly scope: string;
  readonly value: Buffer;
  readonly message: NewMessage;
};

type Winner = { readonly messageId: MessageId; readonly deviceId: string; readonly fingerprint: Buffer | null };

const keyName = (scope: string, value: Buffer) => `${scope} ${value.toString('latin1')}`;

function signatureValue(message: NewMessage): Buffer {
  const value = Buffer.alloc(message.signature.length + 2);
  message.signature.copy(value);
  value.writeUInt16BE(message.position, message.signature.length);
  return value;
}

function requestKeysOf(message: NewMessage): RequestKey[] {
  const signature = { scope: message.keyId, value: signatureValue(message), message };
  const { clientRef } = message.input;
  return clientRef === null
    ? [signature]
    : [signature, { scope: message.accountId, value: Buffer.from(clientRef, 'utf8'), message }];
}

/** One order for all transactions, so that two of them cannot wait for each other. */
function sortKeys(keys: RequestKey[]): RequestKey[] {
  return keys.sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : Buffer.compare(a.value, b.value)));
}

/** Writes the keys that are new; true when all were. Waits for a concurrent transaction that holds the same key. */
async function insertKeys(client: pg.PoolClient, keys: readonly RequestKey[]): Promise<boolean> {
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

async function readWinners(client: pg.PoolClient, keys: readonly RequestKey[]): Promise<Map<string, Winner>> {
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

type Standing = { readonly kind: 'fresh' } | Exclude<AcceptOutcome, AcceptedMessage>;

function isSameMessage(first: Winner, { fingerprint }: NewMessage): boolean {
  return first.fingerprint !== null && fingerprint !== null && first.fingerprint.equals(fingerprint);
}

/** Whether a message is new, or who came first under its signature or its `client_ref`. */
function standingOf(message: NewMessage, winners: ReadonlyMap<string, Winner>): Standing {
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

/** Which devices of the batch accept sends, by account and id; a device that is missing here does not exist for the caller. */
async function readDevices(client: pg.PoolClient, messages: readonly NewMessage[]): Promise<Map<string, boolean>> {
  const { rows } = await client.query<{ id: string; account_id: string; accepts: boolean }>({
    name: 'read-accepting-devices',
    text: `SELECT d.id, d.account_id, ${acceptsSends} AS accepts
           FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.id = ANY ($1::text[])`,
    values: [[...new Set(messages.map((message) => message.deviceId))]],
  });
  return new Map(rows.map((row) => [`${row.account_id} ${row.id}`, row.accepts]));
}

type Granted = { readonly message: NewMessage; readonly periodId: string | null };

async function insertMessages(client: pg.PoolClient, granted: readonly Granted[]): Promise<AcceptedMessage[]> {
  const of = <T>(pick: (message: NewMessage) => T) => granted.map(({ message }) => pick(message));
  const { rows } = await client.query<{ id: MessageId; seq: bigint; expires_at: Date | null }>({
    name: 'insert-messages',
    text: `INSERT INTO messages (id, account_id, device_id, key_id, request_id, period_id, priority, recipient, body,
                                 client_ref, network_message_id, send_at, waits_until, expires_at)
           SELECT id, account_id, device_id, key_id, request_id, period_id, priority, recipient, body,
                  client_ref, network_message_id, send_at, CASE WHEN send_at > now() THEN send_at END, GREATEST(send_at, now()) + make_interval(secs => ttl_seconds)
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::smallint[], $8::text[],
                       $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::int[]) WITH ORDINALITY
             AS t (id, account_id, device_id, key_id, request_id, period_id, priority, recipient, body, client_ref,
                   network_message_id, send_at, ttl_seconds, position)
           ORDER BY position
           RETURNING id, seq, expires_at`,
    values: [
      of((m) => m.id),
      of((m) => m.accountId),
      of((m) => m.deviceId),
      of((m) => m.keyId),
      of((m) => m.requestId),
      granted.map(({ periodId }) => periodId),
      of((m) => priorityRanks[m.input.priority]),
      of((m) => m.input.recipient),
      of((m) => m.input.text),
      of((m) => m.input.clientRef),
      of((m) => networkMessageIdOf(m.id)),
      of((m) => m.input.sendAt),
      of((m) => m.input.ttlSeconds),
    ],
  });
  return rows.map((row) => ({ kind: 'accepted', messageId: row.id, seq: row.seq, expiresAt: row.expires_at }));
}

/** Takes back the keys of messages that were not stored; the next try under them is a first one. */
async function deleteKeys(client: pg.PoolClient, messages: readonly NewMessage[]): Promise<void> {
  const keys = messages.flatMap(requestKeysOf);
  await client.query({
    text: `DELETE FROM request_keys k USING unnest($1::text[], $2::bytea[], $3::text[]) AS gone (scope, value, message_id)
           WHERE k.scope = gone.scope AND k.value = gone.value AND k.message_id = gone.message_id`,
    values: [keys.map((k) => k.scope), keys.map((k) => k.value), keys.map((k) => k.message.id)],
  });
}

/** A repeat under a signature or a `client_ref` of its own: from now on those have the same first answer. */
async function keepKeys(
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

const accountOf = (message: NewMessage) => message.accountId;

function isPast(sendAt: Date | null): boolean {
  return sendAt !== null && sendAt.getTime() < Date.now() - limits.sendAtMaxLateSeconds * 1000;
}

function refuseFresh(message: NewMessage, devices: ReadonlyMap<string, boolean>): AcceptRefusal | null {
  if (isPast(message.input.sendAt)) return 'INVALID_REQUEST';
  const accepts = devices.get(`${message.accountId} ${message.deviceId}`);
  if (accepts === undefined) return 'DEVICE_NOT_FOUND';
  return accepts ? null : 'DEVICE_NOT_CONNECTED';
}

/** What the transaction knows of everybody's devices and plans; the periods are locked. */
type Grounds = { readonly devices: ReadonlyMap<string, boolean>; readonly periods: readonly OpenPeriod[] };

/** Stores what may be stored of the fresh messages; the others are refused. */
async function storeFresh(
  client: pg.PoolClient,
  fresh: readonly NewMessage[],
  { devices, periods }: Grounds,
  outcomes: Map<MessageId, AcceptOutcome>,
): Promise<void> {
  const candidates: NewMessage[] = [];
  for (const message of fresh) {
    const code = refuseFresh(message, devices);
    if (code === null) candidates.push(message);
    else outcomes.set(message.id, { kind: 'refused', code });
  }
  const grants = grantQuota(periods, candidates.map(accountOf));
  const granted = candidates.flatMap((message, i): Granted[] => {
    const grant = grants[i];
    if (grant?.kind === 'granted') return [{ message, periodId: grant.periodId }];
    if (grant !== undefined) outcomes.set(message.id, { kind: 'refused', code: grant.code });
    return [];
  });
  if (granted.length === 0) return;
  const [stored] = await Promise.all([insertMessages(client, granted), writeTaken(client, periods)]);
  for (const message of stored) outcomes.set(message.messageId, message);
}

/** `outcomes` knows what was decided of this batch so far: the first of two equal messages decides for both. */
function outcomeOf(
  message: NewMessage,
  standing: Standing,
  outcomes: ReadonlyMap<MessageId, AcceptOutcome>,
): AcceptOutcome {
  if (standing.kind === 'refused') return standing;
  const decided = outcomes.get(standing.kind === 'fresh' ? message.id : standing.messageId);
  if (standing.kind === 'repeated') return decided === undefined || decided.kind === 'accepted' ? standing : decided;
  if (decided === undefined) throw new Error('a fresh message was left undecided');
  return decided;
}

async function acceptInTransaction(client: pg.PoolClient, messages: readonly NewMessage[]): Promise<AcceptOutcome[]> {
  const keys = sortKeys(messages.flatMap(requestKeysOf));
  // Together on the wire and one after the other in Postgres: the keys are locked before the periods.
  const [allNew, devices, periods] = await Promise.all([
    insertKeys(client, keys),
    readDevices(client, messages),
    lockOpenPeriods(client, [...new Set(messages.map(accountOf))]),
  ]);
  const winners = allNew ? new Map<string, Winner>() : await readWinners(client, keys);
  const standings = messages.map((message) => standingOf(message, winners));
  const outcomes = new Map<MessageId, AcceptOutcome>();
  await storeFresh(
    client,
    messages.filter((_, i) => standings[i]?.kind === 'fresh'),
    { devices, periods },
    outcomes,
  );
  const results = messages.map((message, i) => {
    // `standings` was made from `messages`; the index is in range.
    const outcome = outcomeOf(message, standings[i] as Standing, outcomes);
    outcomes.set(message.id, outcome);
    return outcome;
  });
  const notStored = messages.filter((_, i) => results[i]?.kind !== 'accepted');
  if (notStored.length > 0) await deleteKeys(client, notStored);
  const repeats = messages.flatMap((message, i) => {
    const result = results[i];
    return result?.kind === 'repeated' ? [{ message, first: result.messageId }] : [];
  });
  if (repeats.length > 0) await keepKeys(client, repeats);
  return results;
}

/** Accepts the messages of one bulk, or of several requests, in one transaction; outcomes in order. */
export function acceptTogether(database: Database, messages: readonly NewMessage[]): Promise<AcceptOutcome[]> {
  return inTransaction(database.pool, (client) => acceptInTransaction(client, messages));
}

/**
 * Accepts bulks, each in a transaction of its own, few at a time: however many come, single sends keep their
 * connections.
 */
export function createBulkAcceptor(database: Database): GroupCommit<readonly NewMessage[], AcceptOutcome[]> {
  return createGroupCommit({
    maxItems: 1,
    writers: 3,
    maxWaiting: 1_000,
    commit: (bulks: readonly (readonly NewMessage[])[]) =>
      Promise.all(bulks.map((messages) => acceptTogether(database, messages))),
    isItemFault: () => false,
  });
}

/** Accepts single sends, sharing transactions among those that arrive together. */
export function createAcceptor(database: Database): GroupCommit<NewMessage, AcceptOutcome> {
  return createGroupCommit({
    maxItems: 128,
    writers: 2,
    maxWaiting: 20_000,
    commit: (messages: readonly NewMessage[]) => acceptTogether(database, messages),
    isItemFault: (error) => !isUnavailable(error),
  });
}
