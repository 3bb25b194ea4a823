/**
 * The messages of a conversation in both directions, newest first. Inbound messages and our own have ids that begin with
 * the time, so both lists merge by the part after the prefix.
 */
import {
  type ConversationId,
  type MessageId,
  type MessagePriority,
  messagePriorities,
  priorityRanks,
  type ReplyTo,
  type ShownMessageStatus,
} from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type ContentRow, contentColumns, joinContent, openContents } from '../messages/message-contents.js';
import { shownStatus } from '../messages/read-messages.js';
import type { Database } from '../postgres/connect.js';
import { type InboundFacts, type InboundRow, inboundColumns, withWords } from './inbound-facts.js';
import { idsOf } from './inbound-statements.js';

export type OwnMessage = {
  readonly id: MessageId;
  readonly status: ShownMessageStatus;
  readonly networkMessageId: string | null;
  /** Null: erased, or a one-time code. */
  readonly text: string | null;
  readonly priority: MessagePriority;
  /** The message that it replies to. Null also if its content is erased. */
  readonly replyTo: ReplyTo | null;
  readonly createdAt: Date;
};

export type ConversationEntry =
  | { readonly direction: 'inbound'; readonly facts: InboundFacts }
  | { readonly direction: 'outbound'; readonly message: OwnMessage };

export type ConversationPage = {
  readonly entries: readonly ConversationEntry[];
  readonly nextCursor: string | null;
};

type OwnRow = ContentRow & {
  status: ShownMessageStatus;
  network_message_id: string | null;
  priority: number;
  created_at: Date;
};

const prefixLength = 'inb_'.length;
const placeOf = (id: string): string => id.slice(prefixLength);
/** Greater than each place. */
const latest = 'zzzz';

async function readInbound({ pool }: Database, keys: AccountKeys, id: ConversationId, before: string, limit: number) {
  const { rows } = await pool.query<InboundRow>({
    name: 'read-inbound-of-conversation',
    text: `SELECT ${inboundColumns} FROM conversations c CROSS JOIN LATERAL (
             SELECT * FROM inbound_messages m WHERE m.conversation_id = c.id AND m.id < $2 AND m.kind <> 'identified'
             ORDER BY m.id DESC LIMIT $3) i
           WHERE c.id IN (${idsOf}) ORDER BY i.id DESC LIMIT $3`,
    values: [id, `inb_${before}`, limit],
  });
  return (await withWords(keys, rows)).map((facts) => ({ direction: 'inbound', facts }) as const);
}

async function readOwn({ pool }: Database, keys: AccountKeys, id: ConversationId, before: string, limit: number) {
  const { rows } = await pool.query<OwnRow>({
    name: 'read-own-of-conversation',
    text: `SELECT m.id, m.account_id, m.body, m.priority, m.created_at, ${shownStatus} AS status,
             CASE WHEN m.attempts > 0 THEN m.network_message_id END AS network_message_id, ${contentColumns}
           FROM (SELECT DISTINCT p.message_id FROM conversations c CROSS JOIN LATERAL (
                   SELECT message_id FROM conversation_messages WHERE conversation_id = c.id AND message_id < $2
                   ORDER BY message_id DESC LIMIT $3) p
                 WHERE c.id IN (${idsOf}) ORDER BY p.message_id DESC LIMIT $3) own
           JOIN messages m ON m.id = own.message_id ${joinContent('m.id')} ORDER BY m.id DESC`,
    values: [id, `msg_${before}`, limit],
  });
  const contents = await openContents(
    keys,
    rows.filter(({ priority }) => priority !== priorityRanks.otp),
  );
  return rows.map((row) => {
    const content = contents.get(row.id) ?? 'unreadable';
    const known = typeof content === 'string' ? null : content;
    const [text, replyTo] = [known?.text ?? null, known?.replyTo ?? null];
    const { id: messageId, status, network_message_id: networkMessageId, created_at: createdAt } = row;
    const priority = messagePriorities[row.priority] ?? 'normal';
    const message: OwnMessage = { id: messageId, status, networkMessageId, text, priority, replyTo, createdAt };
    return { direction: 'outbound', message } as const;
  });
}

const idOf = (entry: ConversationEntry): string => (entry.direction === 'inbound' ? entry.facts.id : entry.message.id);

/** `id` is not an alias. */
export async function readConversationMessages(
  database: Database,
  keys: AccountKeys,
  id: ConversationId,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<ConversationPage> {
  const before = cursor ?? latest;
  const [inbound, own] = await Promise.all([
    readInbound(database, keys, id, before, limit + 1),
    readOwn(database, keys, id, before, limit + 1),
  ]);
  const all: ConversationEntry[] = [...inbound, ...own];
  const sorted = all.toSorted((a, b) => (placeOf(idOf(a)) < placeOf(idOf(b)) ? 1 : -1));
  const entries = sorted.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: sorted.length > limit && last !== undefined ? placeOf(idOf(last)) : null };
}
