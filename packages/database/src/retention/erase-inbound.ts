/**
 * Erases what people wrote to devices. Each statement is short and can run again, so a killed run is ended by the next one.
 * An erased row keeps its kind and its times for the events that name it.
 */
import type { AccountId, ConversationId, InboundId } from '@kurir/contracts';
import { erasedMark } from '../conversations/show-inbound.js';
import type { Database } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';

type NumberInAccounts = { readonly number: string; readonly accountId: AccountId | null };

/** Over `conversations c`: the direct chats with the number. `$1` is the number and `$2` the account. */
const withNumber = `c.type = 'direct' AND ($2::text IS NULL OR c.account_id = $2) AND (c.phone = $1 OR c.chat_id = $1)`;

/** Everybody who wrote from the number: their ids in the network, as far as they are known, and their conversations. */
type Its = { readonly userIds: readonly string[]; readonly conversationIds: readonly ConversationId[] };

/** The network's own ids of those who had the number, as far as chats and groups show them. */
export async function userIdsOf({ pool }: Database, { number, accountId }: NumberInAccounts): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>(
    `SELECT c.user_id AS "userId" FROM conversations c WHERE ${withNumber} AND c.user_id IS NOT NULL
     UNION SELECT user_id FROM inbound_messages
       WHERE phone = $1 AND participant <> '' AND ($2::text IS NULL OR account_id = $2) AND user_id IS NOT NULL`,
    [number, accountId],
  );
  return rows.map(({ userId }) => userId);
}

async function findIts(database: Database, which: NumberInAccounts): Promise<Its> {
  const { rows } = await database.pool.query<{ id: ConversationId }>(
    `WITH named AS (SELECT coalesce(c.alias_of, c.id) AS id FROM conversations c WHERE ${withNumber})
     SELECT id FROM named UNION SELECT a.id FROM named JOIN conversations a ON a.alias_of = named.id`,
    [which.number, which.accountId],
  );
  return { userIds: await userIdsOf(database, which), conversationIds: rows.map(({ id }) => id) };
}

const isNotErased = `(i.sealed IS NOT NULL OR i.user_id IS NOT NULL OR i.phone IS NOT NULL OR NOT starts_with(i.network_message_id, '${erasedMark}'))`;

/** Over `inbound_messages i`: the number wrote it, or one of those ids in a group. Each has an index. */
const byNumber = `i.phone = $1 AND ($2::text IS NULL OR i.account_id = $2)`;
const byIdInGroup = `i.participant <> '' AND i.user_id = ANY ($1::text[]) AND ($2::text IS NULL OR i.account_id = $2)`;

export async function countInboundOf(database: Database, which: NumberInAccounts): Promise<number> {
  const { userIds, conversationIds } = await findIts(database, which);
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (
       SELECT i.id FROM inbound_messages i WHERE i.conversation_id = ANY ($4::text[]) AND ${isNotErased}
       UNION SELECT i.id FROM inbound_messages i WHERE ${byNumber}
       UNION SELECT i.id FROM inbound_messages i WHERE ${byIdInGroup.replace('$1', '$3')}) its`,
    [which.number, which.accountId, userIds, conversationIds],
  );
  return rows[0]?.n ?? 0;
}

const rowsPerBatch = 500;

/** Erases the messages of a page. \`page\` selects ids. Returns the last of them, and how many messages it erased. */
const erasePage = (page: string) => `
  WITH page AS MATERIALIZED (${page}),
  erased AS (
    UPDATE inbound_messages i SET user_id = NULL, phone = NULL, sealed = NULL, key_number = NULL, about_network_id = NULL,
      network_message_id = '${erasedMark}' || i.id, participant = CASE WHEN i.participant = '' THEN '' ELSE '${erasedMark}' || i.id END
    WHERE i.id IN (SELECT id FROM page) AND ${isNotErased} RETURNING 1)
  SELECT (SELECT max(id) FROM page) AS last, (SELECT count(*)::int FROM erased) AS erased`;
const erasePageBy = (which: string) =>
  erasePage(`SELECT i.id FROM inbound_messages i WHERE ${which} LIMIT ${rowsPerBatch}`);
const erasePageOfConversation = erasePage(
  `SELECT id FROM inbound_messages WHERE conversation_id = $1 AND id > $2 ORDER BY id LIMIT ${rowsPerBatch}`,
);

type Page = { readonly last: InboundId | null; readonly erased: number };

async function eraseBy({ pool }: Database, which: string, values: readonly unknown[]): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await pool.query<Page>(erasePageBy(which), [...values]);
    const erased = rows[0]?.erased ?? 0;
    if (erased === 0) return total;
    total += erased;
  }
}

async function eraseConversations({ pool }: Database, ids: readonly ConversationId[]): Promise<number> {
  let total = 0;
  for (const id of ids)
    for (let after: string | null = ''; after !== null; ) {
      const { rows }: { rows: Page[] } = await pool.query<Page>(erasePageOfConversation, [id, after]);
      after = rows[0]?.last ?? null;
      total += rows[0]?.erased ?? 0;
    }
  return total;
}

/** Returns how many messages it erased. The conversations lose the number last, because a later run finds the rest by it. */
export async function eraseInboundOf(database: Database, which: NumberInAccounts): Promise<number> {
  const { number, accountId } = which;
  const { pool } = database;
  const { userIds, conversationIds } = await findIts(database, which);
  let erased = await eraseBy(database, byIdInGroup, [userIds, accountId]);
  erased += await eraseConversations(database, conversationIds);
  await deleteOwnMessages(database, conversationIds);
  await pool.query(
    `DELETE FROM device_contacts k USING conversations c
     WHERE c.id = ANY ($1::text[]) AND k.device_id = c.device_id AND k.recipient = c.user_id`,
    [conversationIds],
  );
  await pool.query(
    `UPDATE conversations SET phone = NULL, user_id = NULL, name = NULL, unread = 0, chat_id = '${erasedMark}' || id
     WHERE id = ANY ($1::text[])`,
    [conversationIds],
  );
  // A message that came meanwhile went to one of them. From now on, new ones go elsewhere.
  erased += await eraseConversations(database, conversationIds);
  return erased + (await eraseBy(database, byNumber, [number, accountId]));
}

async function deleteOwnMessages({ pool }: Database, conversationIds: readonly ConversationId[]): Promise<void> {
  await deleteAll(
    pool,
    `DELETE FROM conversation_messages WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM conversation_messages WHERE conversation_id = ANY ($1::text[]) LIMIT ${rowsPerBatch}))`,
    [conversationIds],
  );
}

const ofAccount = [
  `DELETE FROM broadcast_recipients WHERE ctid = ANY (ARRAY(SELECT r.ctid FROM broadcasts b
     JOIN broadcast_recipients r ON r.broadcast_id = b.id WHERE b.account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM broadcasts WHERE ctid = ANY (ARRAY(SELECT ctid FROM broadcasts WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM suppressions WHERE ctid = ANY (ARRAY(SELECT ctid FROM suppressions WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM inbound_messages WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbound_messages WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM conversation_messages WHERE ctid = ANY (ARRAY(SELECT m.ctid FROM conversations c
     JOIN conversation_messages m ON m.conversation_id = c.id WHERE c.account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM conversations WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversations WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
];

/** Deletes the messages of people to the account, their suppressions, and its broadcasts. */
export async function deleteConversationsOf({ pool }: Database, accountId: AccountId): Promise<void> {
  for (const text of ofAccount) await deleteAll(pool, text, [accountId]);
}
