/** Makes the partitions of the next days of `api_requests`, and drops those whose requests are all too old. */
import { limits } from '@kurir/contracts';
import type pg from 'pg';
import { advisoryLocks } from '../postgres/advisory-locks.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';
import { whileAlone } from '../postgres/chores/while-alone.js';

const daysAhead = 2;
const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Gives up soon, because a statement that waits for a table lock blocks all later ones on the table. */
const inShortTransaction = <T>({ pool }: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '500ms'`);
    return work(client);
  });

const deletedAtOnce = 5_000;

async function keep(database: Database, now: Date): Promise<string[]> {
  for (let ahead = 0; ahead <= daysAhead; ahead++)
    await inShortTransaction(database, (client) =>
      client.query('SELECT make_day_partition($1::date)', [dayOf(now.getTime() + ahead * dayMs)]),
    );
  const firstKept = dayOf(now.getTime() - limits.requestLogDays * dayMs);
  // Days that had no partition.
  await deleteAll(
    database.pool,
    `DELETE FROM api_requests_default WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM api_requests_default WHERE at < $1::date::timestamp AT TIME ZONE 'UTC' LIMIT ${deletedAtOnce}))`,
    [firstKept],
  );
  return inShortTransaction(database, async (client) => {
    const { rows } = await client.query<{ part: string }>('SELECT drop_day_partitions($1::date) AS part', [firstKept]);
    return rows.map(({ part }) => part);
  });
}

/**
 * Several workers may run it at once; a second run changes nothing. Rejects if a table is locked for too long; the next
 * call tries again. Returns the dropped partitions.
 */
export async function keepDayPartitions(database: Database, now = new Date()): Promise<string[]> {
  return (await whileAlone(database, advisoryLocks.requestPartitions, () => keep(database, now))) ?? [];
}
