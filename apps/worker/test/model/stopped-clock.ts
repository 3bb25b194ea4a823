/**
 * A database whose time stands still until the model sets it. A schema before Postgres's own replaces `now()` and the like,
 * so that the product's statements run unchanged. There is one connection, so that the model decides the order of statements.
 */
import { type Database, openDatabase } from '@kurir/database';
import { createTestDatabase } from '@kurir/testing';

/** Far from the machine's own time, so that a test sees a date of the machine in a row. */
export const beginningMs = Date.UTC(2040, 0, 1);

const functions = ['now', 'statement_timestamp', 'clock_timestamp', 'transaction_timestamp'];

const makeClock = `CREATE SCHEMA model; ${functions
  .map(
    (name) => `CREATE FUNCTION model.${name}() RETURNS timestamptz LANGUAGE sql STABLE
      AS $$ SELECT to_timestamp(current_setting('kurir.clock')::float8) $$;`,
  )
  .join('\n')}
  DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT table_name, column_name FROM information_schema.columns
             WHERE table_schema = 'public' AND column_default = 'CURRENT_TIMESTAMP'
    LOOP EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT model.now()', c.table_name, c.column_name); END LOOP;
  END $$;`;

/** Expressions that a schema cannot replace. A statement with them would read the machine's clock. */
const ownClock =
  /\b(current_timestamp|current_date|current_time|localtime|localtimestamp|timeofday|pg_catalog\.now)\b|'now'/i;

const clean = `DELETE FROM messages; DELETE FROM message_contents; DELETE FROM message_events_before_log; DELETE FROM events; DELETE FROM request_keys; DELETE FROM devices;
  DELETE FROM worker_processes; DELETE FROM subscription_periods; DELETE FROM accounts;`;
/** Slower, but leaves no dead rows. */
const cleanThoroughly =
  'TRUNCATE messages, message_contents, message_events_before_log, events, request_keys, worker_processes, accounts CASCADE;';
const thoroughlyEvery = 100;

export type StoppedClock = {
  readonly database: Database;
  /** Empties the database, and sets its clock to the beginning. */
  begin(): Promise<void>;
  /** Sets the clock to so many milliseconds after the beginning. */
  set(ms: number): Promise<void>;
  close(): Promise<void>;
};

const inSeconds = (ms: number) => ((beginningMs + ms) / 1000).toFixed(3);

/** Opens a copy of the test template with a stopped clock. */
export async function openStoppedClock(): Promise<StoppedClock> {
  const made = await createTestDatabase();
  const url = new URL(made.url);
  url.searchParams.set(
    'options',
    `-c search_path=model,public,pg_catalog -c kurir.clock=${inSeconds(0)} -c client_min_messages=warning`,
  );
  const database = openDatabase({ url: url.href, poolSize: 1 });
  await database.pool.query(makeClock);
  let beginnings = 0;
  return {
    database,
    async begin() {
      const thoroughly = beginnings++ % thoroughlyEvery === 0;
      await database.pool.query(`SET kurir.clock = '${inSeconds(0)}'; ${thoroughly ? cleanThoroughly : clean}`);
    },
    async set(ms) {
      await database.pool.query(`SET kurir.clock = '${inSeconds(ms)}'`);
    },
    async close() {
      await database.close();
      await made.drop();
    },
  };
}

const known = new Set<string>();

/** Throws if the statement reads the machine's clock instead of the stopped one. */
export function refuseOwnClock(text: string): void {
  if (known.has(text)) return;
  const found = ownClock.exec(text);
  if (found !== null) throw new Error(`a statement reads the machine's clock (${found[0]}): ${text}`);
  known.add(text);
}
