/** Locks rows of the database, so that a program stops exactly where it would write them. */
import type { Database } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { onTestFinished } from 'vitest';

export type RowLock = {
  /** Resolves once some statement waits for the rows. */
  untilWaitedFor(): Promise<void>;
  /**
   * Ends the connections that wait for the rows, so that their statements never run. Then releases the rows. Runs at the end
   * of the test at the latest.
   */
  abandon(): Promise<void>;
};

export async function lockRows(database: Database, select: string, values: readonly unknown[]): Promise<RowLock> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  const { rowCount } = await client.query(`${select} FOR UPDATE`, [...values]);
  if (rowCount === 0) throw new Error('there is nothing to lock');
  const waiting = `FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  let abandoned: Promise<void> | null = null;
  // A backend that waits for a lock does not notice that its client is gone. It would run the statement later.
  const abandon = () => (abandoned ??= release());
  async function release(): Promise<void> {
    await client.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    await client.query('ROLLBACK');
    client.release();
  }
  onTestFinished(abandon);
  return {
    async untilWaitedFor() {
      const isWaitedFor = async () => ((await client.query(`SELECT 1 ${waiting}`)).rowCount ?? 0) > 0;
      await waitUntil(isWaitedFor, { what: 'somebody waits for the locked rows', timeoutMs: 20_000 });
    },
    abandon,
  };
}
