/** Brings a new Postgres into the state of one that has run for long, so that a run does not measure its start. */
import type { Database } from '@kurir/database';

const insufficientPrivilege = '42501';

/** Returns false if the database role may not do the work. */
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
 * Fills and frees as many WAL files as Postgres keeps. A Postgres that has run for long overwrites its old files. A new
 * one creates each file and fills it with zeros first, and every commit waits for that.
 * Returns false if the database role may not switch files; then Postgres creates them during the run.
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

/** The limit of one statement over millions of rows. The pool's own limit suits the gateway's statements. */
const settlingMs = 300_000;

/** Does at once what autovacuum and checkpoints do over weeks. */
export async function settleRows({ pool }: Database, tables: readonly string[]): Promise<void> {
  // pg accepts `query_timeout`, but its types do not know it.
  const patient = (text: string) => ({ text, query_timeout: settlingMs });
  await pool.query(patient(`VACUUM (ANALYZE) ${tables.join(', ')}`));
  await ifAllowed(() => pool.query(patient('CHECKPOINT')));
}
