import type { Database } from './connect.js';

/** The settings without which "stored" would not be true; each that is off, by name. Empty when all is well. */
export async function findDurabilityFaults(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'off'`,
  );
  return rows.map((row) => `Postgres has ${row.name} off: what is accepted could be lost. Turn it on.`);
}

/** Whether Postgres answers. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.pool.query('SELECT 1');
}
