/** Reads messages for their account: one with its timeline, or a page of many. */
import type {
  AccountId,
  Content,
  DeviceId,
  MessageCategory,
  MessageId,
  MessagePriority,
  MessageReason,
  ShownMessageStatus,
} from '@kurir/contracts';
import { messageCategories, messagePriorities, priorityRanks } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { type ContentRow, contentColumns, joinContent, openOne } from './message-contents.js';
import { readWaiting, type Waiting } from './read-waiting.js';

export type MessageView = {
  readonly id: MessageId;
  readonly seq: bigint;
  readonly status: ShownMessageStatus;
  readonly reason: MessageReason | null;
  /** Null before the first try. */
  readonly networkMessageId: string | null;
  readonly deviceId: DeviceId;
  readonly recipient: string;
  readonly priority: MessagePriority;
  readonly category: MessageCategory;
  readonly clientRef: string | null;
  readonly broadcastId: string | null;
  readonly sendAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly waiting: Waiting | null;
};

export type TimelineEntry = {
  readonly status: ShownMessageStatus;
  readonly reason: MessageReason | null;
  readonly at: Date;
};

export type MessageHistory = {
  readonly message: MessageView;
  readonly attempts: number;
  readonly requestId: string;
  /** The id of a key or a person. */
  readonly sender: string;
  readonly senderName: string | null;
  /** Tries that had no answer. */
  readonly unanswered: number;
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
};

export type MessageRow = {
  id: MessageId;
  seq: bigint;
  status: ShownMessageStatus;
  reason: MessageReason | null;
  network_message_id: string | null;
  device_id: DeviceId;
  recipient: string;
  priority: number;
  category: number;
  client_ref: string | null;
  broadcast_id: string | null;
  send_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
};

/** SQL over `messages m`. */
export const shownStatus = `CASE WHEN m.status = 'queued' AND m.send_at > now() THEN 'scheduled' ELSE m.status END`;

/** Over `messages m`. */
export const messageColumns = `m.id, m.seq, ${shownStatus} AS status, m.reason,
  CASE WHEN m.attempts > 0 THEN m.network_message_id END AS network_message_id,
  m.device_id, m.recipient, m.priority, m.category, m.client_ref, m.broadcast_id, m.send_at, m.expires_at,
  m.created_at`;

/** While these hold, they are shown as the reason of the message. A pause is too short for that. */
const forNewContacts: ReadonlySet<string> = new Set([
  'network_restriction',
  'network_warning',
  'new_contact_allowance',
] satisfies Waiting['reason'][]);

function viewOf(row: MessageRow, waiting: Waiting | null): MessageView {
  return {
    id: row.id,
    seq: row.seq,
    status: row.status,
    reason: waiting !== null && forNewContacts.has(waiting.reason) ? 'new_contacts_restricted' : row.reason,
    networkMessageId: row.network_message_id,
    deviceId: row.device_id,
    recipient: row.recipient,
    priority: messagePriorities[row.priority] ?? 'normal',
    category: messageCategories[row.category] ?? 'transactional',
    clientRef: row.client_ref,
    broadcastId: row.broadcast_id,
    sendAt: row.send_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    waiting,
  };
}

/** Adds the reason why each message waits. */
export async function viewsOf(database: Database, rows: readonly MessageRow[]): Promise<MessageView[]> {
  const held = rows.filter(({ status }) => status === 'queued' || status === 'scheduled');
  const waiting = await readWaiting(
    database,
    held.map(({ id }) => id),
  );
  return rows.map((row) => viewOf(row, waiting.get(row.id) ?? null));
}

/** The views of these messages. Messages that no longer exist are missing. */
export async function readMessageViews(
  database: Database,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, MessageView>> {
  const { rows } = await database.pool.query<MessageRow>({
    name: 'read-message-views',
    text: `SELECT ${messageColumns} FROM messages m WHERE m.id = ANY ($1::text[])`,
    values: [ids],
  });
  return new Map((await viewsOf(database, rows)).map((view) => [view.id, view]));
}

type HistoryRow = {
  attempts: number;
  unanswered: number;
  request_id: string;
  key_id: string;
  sender_name: string | null;
};

/** The account's message with its timeline, or null. */
export async function readMessage(
  database: Database,
  accountId: AccountId,
  messageId: MessageId,
): Promise<MessageHistory | null> {
  const { rows } = await database.pool.query<MessageRow & HistoryRow>({
    name: 'read-message',
    text: `SELECT ${messageColumns}, m.attempts, m.unanswered, m.request_id, m.key_id,
             coalesce((SELECT name FROM api_keys k WHERE k.id = m.key_id), (SELECT name FROM users u WHERE u.id = m.key_id)) AS sender_name
           FROM messages m WHERE m.account_id = $1 AND m.id = $2`,
    values: [accountId, messageId],
  });
  const [row] = rows;
  const [message] = await viewsOf(database, rows);
  if (row === undefined || message === undefined) return null;
  const events = await database.pool.query<TimelineEntry>({
    name: 'read-timeline',
    // The bound skips older partitions. It leaves room for a clock that was set back.
    text: `SELECT status, reason, at FROM message_events
           WHERE message_id = $1 AND at >= $2::timestamptz - interval '1 day' ORDER BY ordinal`,
    values: [messageId, row.created_at],
  });
  return {
    message,
    attempts: row.attempts,
    requestId: row.request_id,
    sender: row.key_id,
    senderName: row.sender_name,
    unanswered: row.unanswered,
    timeline: [{ status: 'queued', reason: null, at: row.created_at }, ...events.rows],
  };
}

/**
 * The content and the lifetime of the account's message, for a second try of it. Null if there is no such message.
 * `content` is null if it was erased.
 */
export async function readForRetry(
  database: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
  messageId: MessageId,
): Promise<{ readonly content: Content | null; readonly ttlSeconds: number | null } | null> {
  const { rows } = await database.pool.query<ContentRow & { ttl_seconds: number | null }>(
    `SELECT m.id, m.account_id, m.body, ${contentColumns},
       ceil(extract(epoch FROM m.expires_at - coalesce(m.send_at, m.created_at)))::int AS ttl_seconds
     FROM messages m ${joinContent('m.id')} WHERE m.account_id = $1 AND m.id = $2`,
    [accountId, messageId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const content = await openOne(accountKeys, row);
  return { content, ttlSeconds: row.ttl_seconds };
}

export type MessageFilter = {
  readonly jobIds?: readonly string[] | null;
  readonly status: ShownMessageStatus | null;
  readonly deviceId: string | null;
  /** Null: all devices. */
  readonly deviceIds?: readonly string[] | null;
  readonly recipient: string | null;
  readonly clientRef: string | null;
  readonly priority?: MessagePriority | null;
  readonly broadcastId?: string | null;
  /** A whole job id or client_ref, or a part of a number, a client_ref or a broadcast's name. */
  readonly search?: string | null;
  /** The id of a key. */
  readonly apiKey?: string | null;
  readonly reason?: string | null;
  /** The time of acceptance: `since` is included, `until` is not. */
  readonly since?: Date | null;
  readonly until?: Date | null;
  /** Only messages with an event since then. */
  readonly updatedSince?: Date | null;
  readonly limit: number;
  /** The sequence number of a message: only messages that were accepted before it. */
  readonly cursor: string | null;
};

export const rankOf = (priority: MessagePriority | null = null) => (priority === null ? null : priorityRanks[priority]);
