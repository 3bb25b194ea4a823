/**
 * Our messages in conversations.
 *
 * A message of ours is in the conversation with its recipient, also if it is older than the conversation. If the number
 * moved to this person from another one, only messages that are linked to the conversation went to this person.
 */
import {
  type MessageId,
  type MessagePriority,
  type MessageReason,
  messagePriorities,
  priorityRanks,
  type ReplyTo,
  type ShownMessageStatus,
} from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type ContentRow, contentColumns, joinContent, openContents } from '../messages/message-contents.js';
import { shownStatus } from '../messages/read-messages.js';

export type OwnMessage = {
  readonly id: MessageId;
  readonly status: ShownMessageStatus;
  readonly reason: MessageReason | null;
  readonly broadcast: { readonly id: string; readonly name: string | null } | null;
  readonly networkMessageId: string | null;
  /** Null: erased, or a one-time code. */
  readonly text: string | null;
  readonly priority: MessagePriority;
  /** The message that it replies to. Null also if its content is erased. */
  readonly replyTo: ReplyTo | null;
  readonly createdAt: Date;
};

export type OwnRow = ContentRow & {
  status: ShownMessageStatus;
  reason: MessageReason | null;
  broadcast_id: string | null;
  broadcast_name: string | null;
  network_message_id: string | null;
  priority: number;
  created_at: Date;
};

/** SQL: the id of a conversation that is no alias, the id before which messages stand, and how many. */
type Which = { readonly conversation: string; readonly before: string; readonly limit: string };

/**
 * SQL: the ids of the newest messages of ours. Each part uses an index and is limited by itself. Without `OFFSET 0`,
 * Postgres might read all open messages of all accounts. `before` must be a parameter, or Postgres may sort all messages.
 */
export const ownIds = ({ conversation, before, limit }: Which): string => `
  WITH its AS MATERIALIZED (
    SELECT id, account_id, device_id, chat_id, user_id, phone, took_number FROM conversations
    WHERE id = ${conversation} OR alias_of = ${conversation}),
  addresses AS MATERIALIZED (
    SELECT DISTINCT account_id, device_id, recipient FROM its CROSS JOIN LATERAL unnest(ARRAY[chat_id, user_id, phone]) AS a (recipient)
    WHERE recipient IS NOT NULL AND recipient IS DISTINCT FROM (SELECT phone FROM its WHERE id = ${conversation} AND took_number)),
  open AS MATERIALIZED (
    SELECT m.id FROM addresses a CROSS JOIN LATERAL (
      SELECT m.id FROM messages m
      WHERE m.account_id = a.account_id AND m.recipient = a.recipient AND m.device_id = a.device_id AND m.stage < 2 OFFSET 0) m)
  SELECT id FROM (
    SELECT p.message_id AS id FROM its CROSS JOIN LATERAL (
      SELECT message_id FROM conversation_messages WHERE conversation_id = its.id AND message_id < ${before}
      ORDER BY message_id DESC LIMIT ${limit}) p
    UNION SELECT id FROM open WHERE id < ${before}
    UNION SELECT m.id FROM addresses a CROSS JOIN LATERAL (
      SELECT m.id FROM messages m
      WHERE m.recipient = a.recipient AND m.device_id = a.device_id AND m.stage = 2 AND m.id < ${before}
      ORDER BY m.id DESC LIMIT ${limit}) m) ids
  ORDER BY id DESC LIMIT ${limit}`;

/** SQL: joins the messages of `own`, a list of ids. */
export const joinOwn = `JOIN messages m ON m.id = own.id
  LEFT JOIN LATERAL (SELECT name FROM broadcasts WHERE id = m.broadcast_id) b ON true ${joinContent('m.id')}`;

export const ownColumns = `m.id, m.account_id, m.body, m.priority, m.created_at, m.reason, m.broadcast_id, b.name AS broadcast_name,
  ${shownStatus} AS status, CASE WHEN m.attempts > 0 THEN m.network_message_id END AS network_message_id, ${contentColumns}`;

/** In the order of the rows. */
export async function ownEntries(keys: AccountKeys, rows: readonly OwnRow[]) {
  const contents = await openContents(
    keys,
    rows.filter(({ priority }) => priority !== priorityRanks.otp),
  );
  return rows.map((row) => {
    const content = contents.get(row.id) ?? 'unreadable';
    const known = typeof content === 'string' ? null : content;
    const [text, replyTo] = [known?.text ?? null, known?.replyTo ?? null];
    const { id: messageId, status, reason, network_message_id: networkMessageId, created_at: createdAt } = row;
    const priority = messagePriorities[row.priority] ?? 'normal';
    const broadcast = row.broadcast_id === null ? null : { id: row.broadcast_id, name: row.broadcast_name };
    const common = { id: messageId, status, reason, broadcast, networkMessageId };
    const message: OwnMessage = { ...common, text, priority, replyTo, createdAt };
    return { direction: 'outbound', message } as const;
  });
}
