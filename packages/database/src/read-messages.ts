/** Jobs as their account sees them: one with its timeline, or a page of many. */
import type { AccountId, DeviceId, MessageId, MessagePriority, ShownMessageStatus } from '@kurir/contracts';
import { messagePriorities } from '@kurir/contracts';
import type { Database } from './connect.js';
import { waitsForNewContacts } from './new-contacts.js';
import { writeMoves } from './write-status.js';

export type MessageView = {
  readonly id: MessageId;
  readonly seq: bigint;
  readonly status: ShownMessageStatus;
  readonly reason: string | null;
  /** Null until it was tried for the first time. */
  readonly networkMessageId: string | null;
  readonly deviceId: DeviceId;
  readonly recipient: string;
  readonly priority: MessagePriority;
  readonly clientRef: string | null;
  readonly sendAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
};

export type TimelineEntry = { readonly status: ShownMessageStatus; readonly at: Date };

type MessageRow = {
  id: MessageId;
  seq: bigint;
  status: ShownMessageStatus;
  reason: string | null;
  network_message_id: string | null;
  device_id: DeviceId;
  recipient: string;
  priority: number;
  client_ref: string | null;
  send_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
};

const shownStatus = `CASE WHEN m.status = 'queued' AND m.send_at > now() THEN 'scheduled' ELSE m.status END`;

/** Derived, as the waiting itself is. */
const shownReason = `CASE WHEN ${shownStatus} = 'queued' AND ${waitsForNewContacts}
  THEN 'new_contacts_restricted' ELSE m.reason END`;

const columns = `m.id, m.seq, ${shownStatus} AS status, ${shownReason} AS reason,
  CASE WHEN m.attempts > 0 THEN m.network_message_id END AS network_message_id,
  m.device_id, m.recipient, m.priority, m.client_ref, m.send_at, m.expires_at, m.created_at`;

function viewOf(row: MessageRow): MessageView {
  return {
    id: row.id,
    seq: row.seq,
    status: row.status,
    reason: row.reason,
    networkMessageId: row.network_message_id,
    deviceId: row.device_id,
    recipient: row.recipient,
    priority: messagePriorities[row.priority] ?? 'normal',
    clientRef: row.client_ref,
    sendAt: row.send_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}

/** The account's message with its timeline, oldest first, or null. */
export async function readMessage(
  database: Database,
  accountId: AccountId,
  messageId: MessageId,
): Promise<{ message: MessageView; timeline: TimelineEntry[] } | null> {
  const { rows } = await database.pool.query<MessageRow>({
    name: 'read-message',
    text: `SELECT ${columns} FROM messages m WHERE m.account_id = $1 AND m.id = $2`,
    values: [accountId, messageId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const events = await database.pool.query<TimelineEntry>({
    name: 'read-timeline',
    text: `SELECT status, at FROM message_events WHERE message_id = $1 ORDER BY ordinal`,
    values: [messageId],
  });
  return { message: viewOf(row), timeline: [{ status: 'queued', at: row.created_at }, ...events.rows] };
}

export type MessageFilter = {
  readonly status: ShownMessageStatus | null;
  readonly deviceId: string | null;
  readonly recipient: string | null;
  readonly clientRef: string | null;
  readonly limit: number;
  /** Only messages accepted before the one with this sequence number. */
  readonly cursor: string | null;
};

/** A page of the account's messages, newest first; `nextCursor` null at the end. */
export async function listMessages(
  database: Database,
  accountId: AccountId,
  filter: MessageFilter,
): Promise<{ messages: MessageView[]; nextCursor: string | null }> {
  const { rows } = await database.pool.query<MessageRow>(
    `SELECT ${columns} FROM messages m
     WHERE m.account_id = $1 AND ($2::text IS NULL OR ${shownStatus} = $2) AND ($3::text IS NULL OR m.device_id = $3)
       AND ($4::text IS NULL OR m.recipient = $4) AND ($5::text IS NULL OR m.client_ref = $5)
       AND ($6::bigint IS NULL OR m.seq < $6)
     ORDER BY m.seq DESC LIMIT $7 + 1`,
    [accountId, filter.status, filter.deviceId, filter.recipient, filter.clientRef, filter.cursor, filter.limit],
  );
  const messages = rows.slice(0, filter.limit).map(viewOf);
  const last = messages.at(-1);
  return { messages, nextCursor: rows.length > filter.limit && last !== undefined ? String(last.seq) : null };
}

/**
 * Cancels the account's message if it still waits and no earlier try went unanswered; its quota comes back.
 * `not-cancellable` when it stands anywhere else, also when it was cancelled before.
 */
export async function cancelMessage(
  database: Database,
  accountId: AccountId,
  messageId: MessageId,
): Promise<'cancelled' | 'not-cancellable' | 'not-found'> {
  const moved = await writeMoves(
    database.pool,
    'cancel-messages',
    `SELECT id, 'cancelled', NULL::text, NULL::bigint, NULL::bigint FROM messages WHERE id = $1 AND account_id = $2`,
    [messageId, accountId],
  );
  if (moved.length > 0) return 'cancelled';
  return (await readMessage(database, accountId, messageId)) === null ? 'not-found' : 'not-cancellable';
}
