/**
 * Step 3, accept: one transaction in which messages are stored, their quota is taken and their repeats are
 * recognised. It may assume verified, validated input. Run twice with the same signature or `client_ref` it
 * stores nothing and gives the first answer, whatever has become of plan, quota and device since.
 *
 * Locks are always taken in the order request keys, periods; new message rows are seen by nobody yet.
 */
import { limits, type MessageId } from '@kurir/contracts';
import type pg from 'pg';
import { type Database, inTransaction, isUnavailable } from './connect.js';
import { acceptsSends } from './device-condition.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { networkMessageIdOf } from './network-message-id.js';
import {
  type AcceptedMessage,
  type AcceptOutcome,
  type AcceptRefusal,
  type NewMessage,
  priorityRanks,
} from './new-message.js';
import {
  deleteKeys,
  insertKeys,
  keepKeys,
  readWinners,
  requestKeysOf,
  sortKeys,
  type Standing,
  standingOf,
  type Winner,
} from './request-keys.js';
import { grantQuota, type OpenPeriod, type PeriodsAre, QuotaTaken, readOpenPeriods, takeQuota } from './take-quota.js';

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
  const { rows } = await client.query<{ id: MessageId; seq: bigint; expires_ms: number | null }>({
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
           RETURNING id, seq, (extract(epoch FROM expires_at) * 1000)::float8 AS expires_ms`,
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
  return rows.map(({ id, seq, expires_ms: ms }) => ({
    kind: 'accepted',
    messageId: id,
    seq,
    expiresAt: ms === null ? null : new Date(ms),
  }));
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

/** What the transaction knows of everybody's devices and plans. */
type Grounds = { readonly devices: ReadonlyMap<string, boolean>; readonly periods: readonly OpenPeriod[] };

/** Stores what may be stored of the fresh messages, their quota is still to be taken; the others are refused. */
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
  for (const message of await insertMessages(client, granted)) outcomes.set(message.messageId, message);
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

async function acceptInTransaction(
  client: pg.PoolClient,
  messages: readonly NewMessage[],
  periodsAre: PeriodsAre,
): Promise<AcceptOutcome[]> {
  const keys = sortKeys(messages.flatMap(requestKeysOf));
  // Together on the wire and one after the other in Postgres: the keys are locked before the periods.
  const [allNew, devices, periods] = await Promise.all([
    insertKeys(client, keys),
    readDevices(client, messages),
    readOpenPeriods(client, [...new Set(messages.map(accountOf))], periodsAre),
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
  const repeats = messages.flatMap((message, i) => {
    const result = results[i];
    return result?.kind === 'repeated' ? [{ message, first: result.messageId }] : [];
  });
  // The quota last: its row stays locked until the commit.
  await Promise.all([
    notStored.length > 0 && deleteKeys(client, notStored),
    repeats.length > 0 && keepKeys(client, repeats),
    takeQuota(client, periods),
  ]);
  return results;
}

/** Accepts the messages of one bulk, or of several requests, in one transaction; outcomes in order. */
export async function acceptTogether(database: Database, messages: readonly NewMessage[]): Promise<AcceptOutcome[]> {
  const accept = (periodsAre: PeriodsAre) =>
    inTransaction(database.pool, (client) => acceptInTransaction(client, messages, periodsAre));
  try {
    return await accept('as read');
  } catch (error) {
    if (!(error instanceof QuotaTaken)) throw error;
    return accept('locked');
  }
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
