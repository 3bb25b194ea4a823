import { type MessageId, newId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';

const messagesPerBatch = 500;

/**
 * Deletes messages, with their contents, that ended more than `olderThanDays` ago. Their events are deleted later,
 * month by month. Ids begin with the time of acceptance, so old messages are at the start of the primary key. The pass
 * remembers its position, so it looks once at rows that must stay. Several workers may run it at once.
 *
 * Each row is looked up by its id. In a plain join, a plan that was made for a small table would look at the events of all
 * messages for each of them.
 */
export async function forgetMessages(database: Database, olderThanDays: number, signal: AbortSignal): Promise<number> {
  const firstKept = newId('msg', Date.now() - olderThanDays * 86_400_000);
  let after = '';
  return runInBatches(async () => {
    const { rows } = await database.pool.query<{ looked: number; last: MessageId | null; deleted: number }>({
      name: 'forget-messages',
      text: `WITH looked AS MATERIALIZED (
               SELECT id FROM messages WHERE id > $1 AND id < $2 AND stage = 2 ORDER BY id LIMIT ${messagesPerBatch}),
             old AS (
               SELECT found.id FROM looked CROSS JOIN LATERAL (
                 SELECT m.id FROM messages m
                 WHERE m.id = looked.id AND m.stage + 0 = 2 AND now() - make_interval(days => $3) >
                   coalesce((SELECT max(e.at) FROM message_events e WHERE e.message_id = m.id), m.created_at)
                 LIMIT 1 FOR UPDATE SKIP LOCKED) found),
             timelines AS (DELETE FROM message_events_before_log WHERE message_id IN (SELECT id FROM old)),
             contents AS (DELETE FROM message_contents c USING old WHERE c.message_id = old.id COLLATE "C"),
             places AS (DELETE FROM conversation_messages p USING old WHERE p.message_id = old.id),
             gone AS (DELETE FROM messages m USING old WHERE m.id = old.id RETURNING m.id)
             SELECT count(*)::int AS looked, max(id) AS last, (SELECT count(*)::int FROM gone) AS deleted FROM looked`,
      values: [after, firstKept, olderThanDays],
    });
    const [{ looked, last, deleted } = { looked: 0, last: null, deleted: 0 }] = rows;
    after = last ?? after;
    return { deleted, isLast: looked < messagesPerBatch };
  }, signal);
}
