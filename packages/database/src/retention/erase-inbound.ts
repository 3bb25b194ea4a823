/**
 * Erases and forgets what people wrote to devices. Each statement is short and can run again, so a killed run is ended by
 * the next one. An erased row keeps its kind and its times for the events that name it.
 */
import { type AccountId, newId } from '@kurir/contracts';
import { erasedMark } from '../conversations/show-inbound.js';
import type { Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/run-in-batches.js';

type NumberInAccounts = { readonly number: string; readonly accountId: AccountId | null };

/** Over `conversations c`: the direct chats with the number. `$1` is the number and `$2` the account. */
const withNumber = `c.type = 'direct' AND ($2::text IS NULL OR c.account_id = $2)
  AND (c.phone = $1 OR (c.chat_id = $1 AND c.phone IS NULL))`;
const itsConversations = `SELECT c.id FROM conversations c WHERE ${withNumber}
  UNION SELECT a.id FROM conversations c JOIN conversations a ON a.alias_of = c.id WHERE ${withNumber}
  UNION SELECT r.id FROM conversations c JOIN conversations r ON r.id = c.alias_of WHERE ${withNumber}`;

/** The network's own ids of the person, as far as a conversation shows them. */
export async function userIdsOf({ pool }: Database, { number, accountId }: NumberInAccounts): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>(
    `SELECT DISTINCT c.user_id AS "userId" FROM conversations c WHERE ${withNumber} AND c.user_id IS NOT NULL`,
    [number, accountId],
  );
  return rows.map(({ userId }) => userId);
}

/** Over `inbound_messages i`: the chat is with the number, or it wrote in a group. `$3` are its other ids. */
const isIts = `(i.conversation_id IN (${itsConversations})
  OR (i.participant <> '' AND ($2::text IS NULL OR i.account_id = $2) AND (i.phone = $1 OR i.user_id = ANY ($3::text[]))))
  AND (i.sealed IS NOT NULL OR i.user_id IS NOT NULL OR i.phone IS NOT NULL OR NOT starts_with(i.network_message_id, '${erasedMark}'))`;

export async function countInboundOf(database: Database, which: NumberInAccounts): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM inbound_messages i WHERE ${isIts}`,
    [which.number, which.accountId, await userIdsOf(database, which)],
  );
  return rows[0]?.n ?? 0;
}

/** The conversations lose the number last, because a later run finds the rest by it. Returns how many messages. */
export async function eraseInboundOf(database: Database, which: NumberInAccounts): Promise<number> {
  const { pool } = database;
  const values = [which.number, which.accountId];
  const { rowCount } = await pool.query(
    `UPDATE inbound_messages i SET user_id = NULL, phone = NULL, sealed = NULL, key_number = NULL, about_network_id = NULL,
       network_message_id = '${erasedMark}' || i.id, participant = CASE WHEN i.participant = '' THEN '' ELSE '${erasedMark}' || i.id END
     WHERE ${isIts}`,
    [...values, await userIdsOf(database, which)],
  );
  await pool.query(`DELETE FROM conversation_messages WHERE conversation_id IN (${itsConversations})`, values);
  await pool.query(
    `DELETE FROM device_contacts k USING conversations c
     WHERE c.id IN (${itsConversations}) AND k.device_id = c.device_id AND k.recipient = c.user_id`,
    values,
  );
  await pool.query(
    `UPDATE conversations SET phone = NULL, user_id = NULL, name = NULL, unread = 0, chat_id = '${erasedMark}' || id
     WHERE id IN (${itsConversations})`,
    values,
  );
  return rowCount ?? 0;
}

const rowsPerBatch = 500;
const hourMs = 3_600_000;

const eraseTexts = (which: string) => `
  UPDATE inbound_messages SET sealed = NULL, key_number = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM inbound_messages WHERE sealed IS NOT NULL AND ${which} LIMIT ${rowsPerBatch}))`;

/** Erases the words of messages that came more than `keptHours` ago, of one account or of all. */
export function eraseInboundTexts(
  { pool }: Database,
  keptHours: number,
  accountId: AccountId | null,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(Date.now() - keptHours * hourMs);
  const statement =
    accountId === null
      ? { name: 'erase-inbound-texts', text: eraseTexts('received_at < $1'), values: [before] }
      : {
          name: 'erase-inbound-texts-of-account',
          text: eraseTexts('account_id = $2 AND received_at < $1'),
          values: [before, accountId],
        };
  return runInBatches(async () => {
    const { rowCount } = await pool.query(statement);
    return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsPerBatch };
  }, signal);
}

/** Deletes messages that came more than `olderThanDays` ago, then conversations that have been silent for as long. */
export async function forgetInbound({ pool }: Database, olderThanDays: number, signal: AbortSignal): Promise<number> {
  const firstKept = newId('inb', Date.now() - olderThanDays * 24 * hourMs);
  const inBatches = (name: string, text: string, value: unknown) =>
    runInBatches(async () => {
      const { rowCount } = await pool.query({ name, text, values: [value] });
      return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsPerBatch };
    }, signal);
  const deleted = await inBatches(
    'forget-inbound',
    `DELETE FROM inbound_messages WHERE id = ANY (ARRAY(SELECT id FROM inbound_messages WHERE id < $1 ORDER BY id LIMIT ${rowsPerBatch}))`,
    firstKept,
  );
  // An alias goes with its conversation, or later.
  return (
    deleted +
    (await inBatches(
      'forget-conversations',
      `DELETE FROM conversations c WHERE c.id = ANY (ARRAY(
         SELECT id FROM conversations WHERE last_message_at < now() - make_interval(days => $1) LIMIT ${rowsPerBatch}))
         AND NOT EXISTS (SELECT 1 FROM inbound_messages i WHERE i.conversation_id = c.id)
         AND NOT EXISTS (SELECT 1 FROM conversation_messages m WHERE m.conversation_id = c.id)
         AND NOT EXISTS (SELECT 1 FROM conversations a WHERE a.alias_of = c.id)`,
      olderThanDays,
    ))
  );
}

const ofAccount = [
  `DELETE FROM inbound_messages WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbound_messages WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM conversation_messages WHERE ctid = ANY (ARRAY(SELECT m.ctid FROM conversations c
     JOIN conversation_messages m ON m.conversation_id = c.id WHERE c.account_id = $1 LIMIT ${rowsPerBatch}))`,
  `DELETE FROM conversations WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversations WHERE account_id = $1 LIMIT ${rowsPerBatch}))`,
];

export async function deleteConversationsOf({ pool }: Database, accountId: AccountId): Promise<void> {
  for (const text of ofAccount)
    for (let deleted = rowsPerBatch; deleted === rowsPerBatch; )
      deleted = (await pool.query(text, [accountId])).rowCount ?? 0;
}
