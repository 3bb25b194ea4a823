/** Erases texts of people when their time is over, and deletes old messages and conversations. A killed run is ended by the next one. */
import { type AccountId, newId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type BatchResult, runInBatches } from '../postgres/chores/run-in-batches.js';

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

/** Over `conversations c`: neither it nor an alias of it has a message. */
const isEmpty = `NOT EXISTS (
  SELECT FROM conversations a WHERE (a.id = c.id OR a.alias_of = c.id)
    AND (EXISTS (SELECT FROM inbound_messages i WHERE i.conversation_id = a.id)
      OR EXISTS (SELECT FROM conversation_messages m WHERE m.conversation_id = a.id)))`;

type Candidate = { readonly id: string; readonly at: string };

/**
 * Deletes the empty ones of the next silent conversations, with their aliases. The lock comes first, so that a report that
 * is being stored is seen, or finds no conversation and makes another one.
 */
async function forgetPage({ pool }: Database, before: Date, after: Candidate | null) {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Candidate>({
      name: 'lock-silent-conversations',
      text: `SELECT id, last_message_at::text AS at FROM conversations
             WHERE alias_of IS NULL AND last_message_at < $1 AND (last_message_at, id) > ($2::timestamptz, $3)
             ORDER BY last_message_at, id LIMIT ${rowsPerBatch} FOR UPDATE`,
      values: [before, after?.at ?? '-infinity', after?.id ?? ''],
    });
    const { rowCount } = await client.query({
      name: 'forget-conversations',
      text: `WITH gone AS MATERIALIZED (SELECT c.id FROM conversations c WHERE c.id = ANY ($1::text[]) AND ${isEmpty})
             DELETE FROM conversations WHERE id IN (SELECT id FROM gone) OR alias_of IN (SELECT id FROM gone)`,
      values: [rows.map(({ id }) => id)],
    });
    return { deleted: rowCount ?? 0, last: rows.at(-1) ?? null, isLast: rows.length < rowsPerBatch };
  });
}

/** Deletes messages that came more than `olderThanDays` ago, then conversations that have been silent for as long. */
export async function forgetInbound(database: Database, olderThanDays: number, signal: AbortSignal): Promise<number> {
  const before = new Date(Date.now() - olderThanDays * 24 * hourMs);
  const messages = await runInBatches(async () => {
    const { rowCount } = await database.pool.query({
      name: 'forget-inbound',
      text: `DELETE FROM inbound_messages WHERE id = ANY (ARRAY(SELECT id FROM inbound_messages WHERE id < $1 ORDER BY id LIMIT ${rowsPerBatch}))`,
      values: [newId('inb', before.getTime())],
    });
    return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsPerBatch };
  }, signal);
  let last: Candidate | null = null;
  const conversations = await runInBatches(async (): Promise<BatchResult> => {
    const page = await forgetPage(database, before, last);
    ({ last } = page);
    return page;
  }, signal);
  return messages + conversations;
}
