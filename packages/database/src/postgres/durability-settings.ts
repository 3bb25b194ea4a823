import type { Database } from './connect.js';

/**
 * Returns a sentence for each setting that is off and without which an accepted message could be lost. Empty: all are
 * on.
 */
export async function findDurabilityFaults(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'off'`,
  );
  return rows.map((row) => `Postgres has ${row.name} off: what is accepted could be lost. Turn it on.`);
}
