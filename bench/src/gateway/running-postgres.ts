/** What a Postgres that has been running has behind it, so that what is measured is not its start. */
import type { Database } from '@kurir/database';

const insufficientPrivilege = '42501';

/** False when this role must not. */
async function ifAllowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === insufficientPrivilege) return false;
    throw error;
  }
}

/**
 * Fills as many WAL files as Postgres keeps, and frees them: one that has been running writes over its old files, a new one makes
 * and zeroes each first, 16 MB, and every commit waits for that. False when this role must not; then they are made as they are needed.
 */
export async function recycleWal({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ files: number }>(
    `SELECT (pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')))::int AS files`,
  );
  return ifAllowed(async () => {
    for (let n = 0; n < (rows[0]?.files ?? 0); n++) {
      await pool.query(`SELECT pg_logical_emit_message(false, 'kurir', '')`);
      await pool.query('SELECT pg_switch_wal()');
    }
    await pool.query('CHECKPOINT');
  });
}

/** What one statement over millions of rows may take; the pool's own limit is for statements of the product. */
const settlingMs = 300_000;

/** What autovacuum and the checkpoints do behind rows that come over weeks, done for rows that came at once. */
export async function settleRows({ pool }: Database, tables: readonly string[]): Promise<void> {
  // Known to pg, not to its types.
  const patient = (text: string) => ({ text, query_timeout: settlingMs });
  await pool.query(patient(`VACUUM (ANALYZE) ${tables.join(', ')}`));
  await ifAllowed(() => pool.query(patient('CHECKPOINT')));
}
