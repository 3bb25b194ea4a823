/** Reads conversations for their account. An alias stands for its conversation. */
import type { AccountId, ConversationId, DeviceId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { searchValues } from '../postgres/search-values.js';
import { erasedMark } from './show-inbound.js';

export type ConversationView = {
  readonly id: ConversationId;
  readonly deviceId: DeviceId;
  readonly type: 'direct' | 'group';
  readonly phone: string | null;
  readonly userId: string | null;
  readonly name: string | null;
  /** The recipient of messages to the conversation. */
  readonly recipient: string;
  readonly unread: number;
  readonly lastMessageAt: Date;
  readonly createdAt: Date;
};

/** Over `conversations c`. */
export const conversationColumns = `c.id, c.device_id AS "deviceId", c.type, c.phone, CASE WHEN c.type = 'direct' THEN coalesce(c.user_id, c.chat_id) END AS "userId",
  c.name, c.recipient, c.unread, c.last_message_at AS "lastMessageAt", c.created_at AS "createdAt"`;
const isShown = `c.alias_of IS NULL AND NOT starts_with(c.chat_id, '${erasedMark}')`;

/** Over `conversations c`. `$1` is the account, `$2` the id of a conversation or of an alias. */
export const isNamed = `c.account_id = $1 AND c.id = coalesce((SELECT a.alias_of FROM conversations a WHERE a.id = $2 AND a.account_id = $1), $2) AND ${isShown}`;

export type ConversationFilter = {
  /** Null: all devices. */
  readonly deviceId: DeviceId | null;
  readonly deviceIds?: readonly string[] | null;
  /** Digits with country code. Null: all people and groups. */
  readonly phone: string | null;
  readonly onlyUnread: boolean;
  /** A part of the name that the person shows, of the contact's name, or of the number. */
  readonly search: string | null;
  readonly limit: number;
  readonly cursor: string | null;
};

const cursorOf = ({ lastMessageAt, id }: ConversationView): string => `${lastMessageAt.getTime()}.${id}`;

function placeOf(cursor: string): readonly [Date, string] | null {
  const [time = '', id = ''] = cursor.split('.');
  return /^[0-9]{1,14}$/.test(time) ? [new Date(Number(time)), id] : null;
}

/** The last active one comes first. */
export async function listConversations(
  { lists }: Database,
  accountId: AccountId,
  { deviceId, deviceIds = null, phone, onlyUnread, search, limit, cursor }: ConversationFilter,
): Promise<{ readonly conversations: readonly ConversationView[]; readonly nextCursor: string | null }> {
  const place = cursor === null ? null : placeOf(cursor);
  const { rows } = await lists.query<ConversationView>(
    `SELECT ${conversationColumns} FROM conversations c
     WHERE c.account_id = $1 AND ${isShown} AND ($2::text IS NULL OR c.device_id = $2)
       AND ($3::text IS NULL OR c.phone = $3) AND (NOT $4::boolean OR c.unread > 0)
       AND ($5::timestamptz IS NULL OR (c.last_message_at, c.id) < ($5, $6))
       AND ($8::text[] IS NULL OR c.device_id = ANY ($8))
       AND ($9::text IS NULL OR c.name ILIKE $9 OR ($10::text IS NOT NULL AND strpos(c.phone, $10) > 0)
         OR EXISTS (SELECT FROM contacts k WHERE k.account_id = c.account_id AND k.phone = c.phone AND k.name ILIKE $9))
     ORDER BY c.last_message_at DESC, c.id DESC LIMIT $7 + 1`,
    [
      accountId,
      deviceId,
      phone,
      onlyUnread,
      place?.[0] ?? null,
      place?.[1] ?? null,
      limit,
      deviceIds,
      ...searchValues(search),
    ],
  );
  const conversations = rows.slice(0, limit);
  const last = conversations.at(-1);
  return { conversations, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Null: the account has no such conversation, or the person is erased. */
export async function readConversation(
  { pool }: Database,
  accountId: AccountId,
  id: ConversationId,
): Promise<ConversationView | null> {
  const { rows } = await pool.query<ConversationView>({
    name: 'read-conversation',
    text: `SELECT ${conversationColumns} FROM conversations c WHERE ${isNamed}`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}
