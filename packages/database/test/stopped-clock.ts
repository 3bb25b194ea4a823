/**
 * A database whose `now()` returns a time of the test. A function of that name hides Postgres' own. Only one connection
 * has this clock, so all statements on it wait for each other. Defaults of columns keep the real time.
 */
import { type Database, openDatabase } from '../src/postgres/connect.js';

export type StoppedClock = { readonly database: Database; set(at: Date): Promise<void> };

export async function openStopped(real: Database, url: string): Promise<StoppedClock> {
  await real.pool.query(`CREATE SCHEMA stopped`);
  await real.pool.query(
    `CREATE FUNCTION stopped.now() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT current_setting('stopped.at')::timestamptz $$`,
  );
  const stopped = new URL(url);
  stopped.searchParams.set('options', '-c search_path=stopped,public,pg_catalog');
  const opened = openDatabase({ url: stopped.toString(), poolSize: 1 });
  const database = { ...opened, lists: opened.pool };
  return {
    database,
    async set(at) {
      await database.pool.query(`SELECT set_config('stopped.at', $1, false)`, [at.toISOString()]);
    },
  };
}
