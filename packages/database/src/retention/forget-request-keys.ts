import type { Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';

/** A page of Postgres holds some hundred keys. */
const pagesPerBatch = 16;
/** The contract promises customers a shorter time. */
const keptHours = 72;

/** The number of pages of the table. */
async function readKeyPages({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ pages: number }>({
    name: 'read-request-key-pages',
    text: `SELECT (pg_relation_size('request_keys') / current_setting('block_size')::int)::int AS pages`,
  });
  return rows[0]?.pages ?? 0;
}

/**
 * Deletes request keys that are old enough; later, a repeat is a new request. The pass goes by pages of the table,
 * because an index by time would make each accepted message slower. Postgres reuses free space, so old and new keys
 * share pages.
 *
 * A pass begins at a random page and goes round once. So several workers look at different pages. If passes often end
 * early, each page still gets its turn.
 */
export async function forgetRequestKeys(database: Database, signal: AbortSignal): Promise<number> {
  const batches = Math.ceil((await readKeyPages(database)) / pagesPerBatch);
  let batch = Math.floor(Math.random() * batches);
  let left = batches;
  if (left === 0) return 0;
  return runInBatches(async () => {
    const page = batch * pagesPerBatch;
    const { rowCount } = await database.pool.query({
      name: 'forget-request-keys',
      text: `DELETE FROM request_keys WHERE ctid >= $1::tid AND ctid < $2::tid
             AND created_at < now() - interval '${keptHours} hours'`,
      values: [`(${page},0)`, `(${page + pagesPerBatch},0)`],
    });
    batch = (batch + 1) % batches;
    left--;
    return { deleted: rowCount ?? 0, isLast: left === 0 };
  }, signal);
}
