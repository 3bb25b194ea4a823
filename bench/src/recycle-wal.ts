/**
 * A Postgres that has been running writes over its old WAL files. A new one makes and zeroes each file first, 16 MB, and
 * every commit waits for that: what is measured right after the start would be the start.
 */
import type { Database } from '@kurir/database';

const insufficientPrivilege = '42501';

/** Fills as many files as Postgres keeps, and frees them. False when this role must not; then they are made as they are needed. */
export async function recycleWal({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ files: number }>(
    `SELECT (pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')))::int AS files`,
  );
  try {
    for (let n = 0; n < (rows[0]?.files ?? 0); n++) {
      await pool.query(`SELECT pg_logical_emit_message(false, 'kurir', '')`);
      await pool.query('SELECT pg_switch_wal()');
    }
    await pool.query('CHECKPOINT');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === insufficientPrivilege) return false;
    throw error;
  }
}
