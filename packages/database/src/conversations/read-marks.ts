/**
 * Marks conversations as read, and keeps what the network is to be told of it. The span of read messages stands in the
 * row of the conversation until a worker has told it. A crash between the two makes a worker tell it again, which
 * changes nothing.
 */
import type { AccountId, Chat, ConversationId, DeviceId, InboundId, ReadMark } from '@kurir/contracts';
import type pg from 'pg';
import { type Database, inTransaction } from '../postgres/connect.js';
import { idsOf } from './inbound-statements.js';
import { type ConversationView, conversationColumns, isNamed } from './read-conversations.js';
import { erasedMark } from './show-inbound.js';

/** The newest messages of a chat are told. Nobody looks for the marks of older ones. */
const marksPerChat = 100;
const rowsPerBatch = 1_000;
/** The prefix of an inbound message's id and its millisecond. Ids of one millisecond have no order. */
const timeLength = 'inb_'.length + 10;

/** Over a conversation `$1`: its newest messages of people, also those of its aliases, at most `limit`. */
const newestOf = (columns: string, limit: string, condition: string) => `
  SELECT ${columns} FROM conversations a CROSS JOIN LATERAL (
    SELECT * FROM inbound_messages m WHERE m.conversation_id = a.id AND ${condition} ORDER BY m.id DESC LIMIT ${limit}) i
  WHERE a.id IN (${idsOf}) ORDER BY i.id DESC LIMIT ${limit}`;

async function spanUnread(client: pg.PoolClient, id: ConversationId, unread: number): Promise<void> {
  await client.query({
    name: 'mark-conversation-read',
    text: `UPDATE conversations c SET unread = 0, read_marks_from = least(c.read_marks_from, span.first),
             read_marks_through = greatest(c.read_marks_through, span.last)
           FROM (SELECT left(min(id), ${timeLength}) AS first, max(id) AS last
                 FROM (${newestOf('i.id', '$2', `m.kind IN ('received', 'undecryptable')`)}) newest) span
           WHERE c.id = $1`,
    values: [id, Math.min(unread, marksPerChat)],
  });
}

/** Returns the conversation. A second run changes nothing. Null: the account has no such conversation. */
export function markRead(
  { pool }: Database,
  accountId: AccountId,
  id: ConversationId,
): Promise<ConversationView | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<ConversationView>({
      name: 'lock-conversation-to-read',
      text: `SELECT ${conversationColumns} FROM conversations c WHERE ${isNamed} FOR NO KEY UPDATE`,
      values: [accountId, id],
    });
    const [found] = rows;
    if (found === undefined) return null;
    if (found.unread > 0) await spanUnread(client, found.id, found.unread);
    return { ...found, unread: 0 };
  });
}

/** Those of the given devices that have something to tell. */
export async function readDevicesToTell(
  { pool }: Database,
  deviceIds: readonly DeviceId[],
): Promise<readonly DeviceId[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await pool.query<{ id: DeviceId }>({
    name: 'read-devices-to-tell',
    text: `SELECT d.id FROM unnest($1::text[]) AS d (id) WHERE EXISTS (
             SELECT FROM conversations c WHERE c.device_id = d.id AND c.read_marks_through IS NOT NULL)`,
    values: [deviceIds],
  });
  return rows.map(({ id }) => id);
}

export type UntoldChat = {
  readonly conversationId: ConversationId;
  readonly chat: Chat;
  /** The span that `noteTold` ends. It begins with a millisecond. */
  readonly from: string;
  readonly through: InboundId;
  /** Newest first. Empty if all of them are erased. */
  readonly marks: readonly ReadMark[];
};

type ChatRow = Omit<UntoldChat, 'chat' | 'marks'> & { readonly chatId: string; readonly type: Chat['type'] };

async function readMarks({ pool }: Database, { conversationId, from, through }: ChatRow): Promise<ReadMark[]> {
  const isTold = `m.id BETWEEN $2 AND $3 AND m.kind = 'received' AND m.user_id IS NOT NULL
    AND NOT starts_with(m.network_message_id, '${erasedMark}')`;
  const columns = `i.network_message_id AS "networkMessageId", i.user_id AS "userId"`;
  const { rows } = await pool.query<ReadMark>({
    name: 'read-untold-marks',
    text: newestOf(columns, String(marksPerChat), isTold),
    values: [conversationId, from, through],
  });
  return rows;
}

/** The chats of a device of which the network is to be told, those with the newest messages first. */
export async function readUntold(database: Database, deviceId: DeviceId, limit: number): Promise<UntoldChat[]> {
  const { rows } = await database.pool.query<ChatRow>({
    name: 'read-untold-chats',
    text: `SELECT id AS "conversationId", chat_id AS "chatId", type, read_marks_from AS "from", read_marks_through AS "through"
           FROM conversations WHERE device_id = $1 AND read_marks_through IS NOT NULL ORDER BY read_marks_through DESC LIMIT $2`,
    values: [deviceId, limit],
  });
  return Promise.all(
    rows.map(async (row) => {
      const { conversationId, chatId: id, type, from, through } = row;
      return { conversationId, chat: { id, type }, from, through, marks: await readMarks(database, row) };
    }),
  );
}

/** If somebody read more meanwhile, the whole span is told once more. */
export async function noteTold({ pool }: Database, { conversationId, from, through }: UntoldChat): Promise<void> {
  await pool.query({
    name: 'note-read-marks-told',
    text: `UPDATE conversations SET read_marks_from = NULL, read_marks_through = NULL
           WHERE id = $1 AND read_marks_from = $2 AND read_marks_through = $3`,
    values: [conversationId, from, through],
  });
}

/** For a device that is not linked any more. Returns how many chats it had to tell; call it until it returns 0. */
export async function dropReadMarks({ pool }: Database, deviceId: DeviceId): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'drop-read-marks',
    text: `UPDATE conversations SET read_marks_from = NULL, read_marks_through = NULL WHERE id = ANY (ARRAY(
             SELECT id FROM conversations WHERE device_id = $1 AND read_marks_through IS NOT NULL LIMIT ${rowsPerBatch}))`,
    values: [deviceId],
  });
  return rowCount ?? 0;
}
