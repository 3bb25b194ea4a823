/**
 * Finds, makes and joins the conversations of a device, in the caller's transaction. The conversation that it returns is
 * locked until the commit. So its reports are stored one after the other, and its events get their numbers in order.
 *
 * A network may show a person by number first and by an id of its own later, or the other way round. When the two turn out
 * to be one person, the older conversation stays, and the other one becomes its alias. A number that moved to another
 * person is taken from the conversation that had it.
 */
import { type AccountId, type Chat, type ConversationId, type DeviceId, newId, type Person } from '@kurir/contracts';
import type pg from 'pg';

export type Place = { readonly accountId: AccountId; readonly deviceId: DeviceId };

export type OpenConversation = {
  readonly id: ConversationId;
  readonly chatId: string;
  readonly userId: string | null;
  readonly phone: string | null;
};

export type Found = {
  readonly conversation: OpenConversation;
  /** The number became known, or two conversations were joined. */
  readonly identified: boolean;
};

type Row = OpenConversation & { readonly aliasOf: ConversationId | null };

const columns = `c.id, c.chat_id AS "chatId", c.user_id AS "userId", c.phone, c.alias_of AS "aliasOf"`;

/** The conversation of a chat, or the one whose alias it is. */
async function lockByChat(client: pg.PoolClient, deviceId: DeviceId, chatId: string): Promise<OpenConversation | null> {
  for (;;) {
    const { rows } = await client.query<Row>({
      name: 'lock-conversation-by-chat',
      text: `SELECT ${columns} FROM conversations named JOIN conversations c ON c.id = coalesce(named.alias_of, named.id)
             WHERE named.device_id = $1 AND named.chat_id = $2 FOR NO KEY UPDATE OF c`,
      values: [deviceId, chatId],
    });
    const [row] = rows;
    // Another transaction may have made it an alias while this one waited for the lock.
    if (row === undefined || row.aliasOf === null) return row ?? null;
  }
}

async function lockByRecipient(
  client: pg.PoolClient,
  deviceId: DeviceId,
  recipient: string,
): Promise<OpenConversation | null> {
  const { rows } = await client.query<Row>({
    name: 'lock-conversation-by-recipient',
    text: `SELECT ${columns} FROM conversations c
           WHERE c.device_id = $1 AND c.recipient = $2 AND c.alias_of IS NULL FOR NO KEY UPDATE`,
    values: [deviceId, recipient],
  });
  return rows[0] ?? null;
}

type NewConversation = Omit<OpenConversation, 'id'> & {
  readonly type: Chat['type'];
  readonly aliasOf: ConversationId | null;
  /** Another person had the number before. */
  readonly tookNumber?: boolean;
};

async function make(
  client: pg.PoolClient,
  { accountId, deviceId }: Place,
  { chatId, type, userId, phone, aliasOf, tookNumber = false }: NewConversation,
): Promise<OpenConversation> {
  const id = newId('cnv');
  await client.query({
    name: 'make-conversation',
    text: `INSERT INTO conversations (id, account_id, device_id, chat_id, type, user_id, phone, alias_of, took_number)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [id, accountId, deviceId, chatId, type, userId, phone, aliasOf, tookNumber],
  });
  return { id, chatId, userId, phone };
}

/** The number belongs to somebody else now. A chat that was named by the number needs another name, also as an alias. */
async function takeNumberFrom(client: pg.PoolClient, { id }: OpenConversation, phone: string): Promise<void> {
  await client.query({
    name: 'take-number-from-conversation',
    text: `UPDATE conversations SET phone = NULL, chat_id = CASE WHEN chat_id = $2 THEN 'moved ' || id ELSE chat_id END
           WHERE id = $1 OR alias_of = $1`,
    values: [id, phone],
  });
}

async function setNumber(
  client: pg.PoolClient,
  conversation: OpenConversation,
  userId: string,
  phone: string,
  isInherited: boolean,
): Promise<OpenConversation> {
  await client.query({
    name: 'set-number-of-conversation',
    text: `UPDATE conversations SET phone = $2, user_id = $3, took_number = $4 OR (took_number AND phone IS NOT DISTINCT FROM $2)
           WHERE id = $1`,
    values: [conversation.id, phone, userId, isInherited],
  });
  return { ...conversation, phone, userId };
}

/** The older one stays. Ids begin with the time at which they were made. */
async function join(client: pg.PoolClient, a: OpenConversation, b: OpenConversation): Promise<OpenConversation> {
  const [kept, other] = a.id < b.id ? [a, b] : [b, a];
  await client.query({
    name: 'make-alias',
    text: 'UPDATE conversations SET alias_of = $2 WHERE id = $1 OR alias_of = $1',
    values: [other.id, kept.id],
  });
  await client.query({
    name: 'take-over-alias',
    text: `UPDATE conversations c SET unread = c.unread + o.unread, last_message_at = greatest(c.last_message_at, o.last_message_at),
             name = coalesce(c.name, o.name)
           FROM conversations o WHERE c.id = $1 AND o.id = $2`,
    values: [kept.id, other.id],
  });
  return kept;
}

/** The person of a direct chat has a known number that the conversation does not have yet. */
async function identify(
  client: pg.PoolClient,
  { deviceId }: Place,
  own: OpenConversation,
  userId: string,
  phone: string,
): Promise<Found> {
  const other = await lockByRecipient(client, deviceId, phone);
  const isOther = other !== null && other.id !== own.id;
  if (isOther && other.userId === null) {
    const kept = await join(client, own, other);
    return { conversation: await setNumber(client, kept, userId, phone, false), identified: true };
  }
  if (isOther) await takeNumberFrom(client, other, phone);
  return { conversation: await setNumber(client, own, userId, phone, isOther), identified: true };
}

/** The chat has no conversation yet, but the number of its person may have one. */
async function begin(client: pg.PoolClient, place: Place, { userId, phone }: Person): Promise<Found> {
  const chat = { chatId: userId, type: 'direct', aliasOf: null } as const;
  const ownId = userId === phone ? null : userId;
  const other = phone === null ? null : await lockByRecipient(client, place.deviceId, phone);
  if (other === null || phone === null)
    return { conversation: await make(client, place, { ...chat, userId: ownId, phone }), identified: false };
  const isSamePerson = other.userId === null || ownId === null || other.userId === ownId;
  if (!isSamePerson) {
    await takeNumberFrom(client, other, phone);
    const heir = { ...chat, userId: ownId, phone, tookNumber: true };
    return { conversation: await make(client, place, heir), identified: false };
  }
  await make(client, place, { ...chat, userId: null, phone: null, aliasOf: other.id });
  if (ownId === null || ownId === other.userId) return { conversation: other, identified: false };
  return { conversation: await setNumber(client, other, ownId, phone, false), identified: true };
}

/** The conversation of a report. `person` is the other person of a direct chat; null in a group. */
export async function findConversation(
  client: pg.PoolClient,
  place: Place,
  chat: Chat,
  person: Person | null,
): Promise<Found> {
  const found = await lockByChat(client, place.deviceId, chat.id);
  if (chat.type === 'group' || person === null) {
    const group = { chatId: chat.id, type: chat.type, userId: null, phone: null, aliasOf: null };
    return { conversation: found ?? (await make(client, place, group)), identified: false };
  }
  if (found === null) return begin(client, place, { ...person, userId: chat.id });
  const { phone } = person;
  if (phone === null || phone === found.phone || chat.id === phone) return { conversation: found, identified: false };
  return identify(client, place, found, chat.id, phone);
}

/** For a number that became known without a message. Null: nothing changes, or nobody of this id or number has written. */
export async function findIdentified(
  client: pg.PoolClient,
  place: Place,
  { userId, phone }: { readonly userId: string; readonly phone: string },
): Promise<OpenConversation | null> {
  const found = await lockByChat(client, place.deviceId, userId);
  if (found !== null)
    return found.phone === phone ? null : (await identify(client, place, found, userId, phone)).conversation;
  const byNumber = await lockByRecipient(client, place.deviceId, phone);
  if (byNumber === null || byNumber.userId !== null) return null;
  return (await begin(client, place, { userId, phone, username: null, name: null })).conversation;
}
