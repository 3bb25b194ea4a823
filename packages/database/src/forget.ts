/**
 * Deletes what is old enough, in one pass from the first to the last and in bites that hold nobody up. A pass remembers
 * where it is: what must stay, and what is deleted but not vacuumed yet, is looked at once in a pass and not once in
 * every bite. Any number of workers may be at it.
 */
import { type MessageId, newId } from '@kurir/contracts';
import { inBites } from './bites.js';
import type { Database } from './connect.js';

const messagesPerBite = 500;
/** Of 8 kB: some thousand keys. */
const pagesPerBite = 16;
/** How long a repeat is recognised; the contract promises 24 h, design 72. */
const requestKeyHours = 72;

/**
 * Deletes messages that have been over for so many days, with their contents. Their events go later, a month at a time. Ids begin
 * with the time of acceptance, so the oldest stand at the beginning of the primary key; one that waited long is kept as long
 * from its end on.
 */
export async function forgetMessages(database: Database, olderThanDays: number, signal: AbortSignal): Promise<number> {
  const firstKept = newId('msg', Date.now() - olderThanDays * 86_400_000);
  let after = '';
  return inBites(async () => {
    const { rows } = await database.pool.query<{ looked: number; last: MessageId | null; deleted: number }>({
      name: 'forget-messages',
      text: `WITH looked AS MATERIALIZED (
               SELECT id FROM messages WHERE id > $1 AND id < $2 AND stage = 2 ORDER BY id LIMIT ${messagesPerBite}),
             old AS (
               SELECT m.id FROM looked JOIN messages m USING (id)
               WHERE m.stage = 2 AND now() - make_interval(days => $3) >
                 coalesce((SELECT max(e.at) FROM message_events e WHERE e.message_id = m.id), m.created_at)
               FOR UPDATE OF m SKIP LOCKED),
             timelines AS (DELETE FROM message_events_before_log WHERE message_id IN (SELECT id FROM old)),
             contents AS (DELETE FROM message_contents c USING old WHERE c.message_id = old.id COLLATE "C"),
             gone AS (DELETE FROM messages m USING old WHERE m.id = old.id RETURNING m.id)
             SELECT count(*)::int AS looked, max(id) AS last, (SELECT count(*)::int FROM gone) AS deleted FROM looked`,
      values: [after, firstKept, olderThanDays],
    });
    const [{ looked, last, deleted } = { looked: 0, last: null, deleted: 0 }] = rows;
    after = last ?? after;
    return { deleted, isLast: looked < messagesPerBite };
  }, signal);
}

/** The pages of the table of request keys. */
async function readKeyPages({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ pages: number }>({
    name: 'read-request-key-pages',
    text: `SELECT (pg_relation_size('request_keys') / current_setting('block_size')::int)::int AS pages`,
  });
  return rows[0]?.pages ?? 0;
}

/**
 * Forgets what makes repeats recognisable once it is old enough. By the pages of the table: an index by time would cost
 * every accepted message something, and space that was freed is used again, so that old and new stand side by side. A
 * pass begins anywhere and goes once round: workers do not walk together, and one that is broken off always at the same
 * place would never see the rest.
 */
export async function forgetRequestKeys(database: Database, signal: AbortSignal): Promise<number> {
  const bites = Math.ceil((await readKeyPages(database)) / pagesPerBite);
  let bite = Math.floor(Math.random() * bites);
  let left = bites;
  if (left === 0) return 0;
  return inBites(async () => {
    const page = bite * pagesPerBite;
    const { rowCount } = await database.pool.query({
      name: 'forget-request-keys',
      text: `DELETE FROM request_keys WHERE ctid >= $1::tid AND ctid < $2::tid
             AND created_at < now() - interval '${requestKeyHours} hours'`,
      values: [`(${page},0)`, `(${page + pagesPerBite},0)`],
    });
    bite = (bite + 1) % bites;
    left--;
    return { deleted: rowCount ?? 0, isLast: left === 0 };
  }, signal);
}
