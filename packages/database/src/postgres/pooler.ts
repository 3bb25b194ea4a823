/**
 * A pooler in transaction mode gives a connection to somebody else after each transaction. A session then has neither
 * settings, nor named statements, nor locks of its own. These checks run at the start.
 */
import pg from 'pg';
import { type Database, sessionSettings } from './connect.js';
import { connectToPrimary } from './connections/connect-to-primary.js';
import { isTlsFault } from './connections/unavailable.js';

type Connection = Pick<pg.ClientBase, 'query'>;

async function processOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

/** Runs `work` while `other` is in a transaction, and perhaps on the process of Postgres that `one` had before. */
async function whileBusy<T>(other: Connection, work: () => Promise<T>): Promise<T> {
  await other.query('BEGIN');
  try {
    return await work();
  } finally {
    await other.query('ROLLBACK');
  }
}

/**
 * Returns true if the two connections get processes of Postgres in turn. A connection of its own keeps one process. So
 * true is certain. False is not, while others use the same pooler, so it looks several times.
 */
export async function sharesServers(one: Connection, other: Connection): Promise<boolean> {
  const first = await processOf(one);
  for (let left = 3; left > 0; left--) {
    const changed = await whileBusy(
      other,
      async () => (await processOf(other)) === first || (await processOf(one)) !== first,
    );
    if (changed || (await processOf(one)) !== first || (await processOf(one)) !== first) return true;
  }
  return false;
}

const probe = { name: 'kurir-probe', text: 'SELECT 1' };
/** The name is unknown, or the process had it from another connection. */
const unknownName: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

async function knowsNames(one: Connection, other: Connection): Promise<boolean> {
  try {
    await one.query(probe);
    await whileBusy(other, () => one.query(probe));
    await other.query(probe);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && unknownName.has(error.code)) return false;
    throw error;
  }
}

async function lackedSettings(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT name FROM json_each_text($1::json) AS t (name, wanted) WHERE current_setting(name) <> wanted`,
    [JSON.stringify(sessionSettings)],
  );
  return rows.map(({ name }) => name);
}

const shared =
  'DATABASE_URL leads through a pooler in transaction mode. Set KURIR_DATABASE_POOLER=transaction for all programs, and run the migrator.';
const lacking = (names: readonly string[]) =>
  `The connections of the pooler lack ${names.join(', ')}. Run the migrator with KURIR_DATABASE_POOLER, and then RECONNECT in PgBouncer.`;
const nameless =
  'The pooler does not know named statements. Set KURIR_DATABASE_POOLER=transaction, or use PgBouncer 1.21 or later with max_prepared_statements of 200 or more.';
const untrusted = (error: Error) =>
  `There is no TLS connection to Postgres: ${error.message}. Check sslmode, and the file of the CA in sslrootcert, in DATABASE_URL.`;

async function findFaultsOf(one: Connection, other: Connection, pooler: Database['pooler']): Promise<string[]> {
  if (pooler === 'none') return (await sharesServers(one, other)) ? [shared] : [];
  const lacked = await lackedSettings(one);
  return [
    ...(lacked.length === 0 ? [] : [lacking(lacked)]),
    ...(pooler === 'transaction' || (await knowsNames(one, other)) ? [] : [nameless]),
  ];
}

/**
 * Returns a sentence for each reason why the programs cannot work over their connections. Rejects if Postgres does not
 * answer. Call it before any other statement.
 */
export async function findConnectionFaults({ pool, pooler }: Database): Promise<string[]> {
  const taken: pg.PoolClient[] = [];
  try {
    for (let left = 2; left > 0; left--) taken.push(await pool.connect());
    const [one, other] = taken as [pg.PoolClient, pg.PoolClient];
    return await findFaultsOf(one, other, pooler);
  } catch (error) {
    if (isTlsFault(error)) return [untrusted(error)];
    throw error;
  } finally {
    // The checks leave named statements in these connections.
    for (const client of taken) client.release(true);
  }
}

/**
 * Gives the user of `url` the settings of a session for each new connection. This connection gets them, too, because a
 * pooler keeps it. A second run changes nothing.
 */
export async function keepRoleSettings(url: string): Promise<void> {
  const client = await connectToPrimary(url);
  const settings = Object.entries(sessionSettings);
  const alters = settings.map(
    ([name, value]) =>
      `EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = ''${value}''', current_user, current_database());`,
  );
  const sets = settings.map(([name, value]) => `SET ${name} = '${value}';`);
  try {
    // One message, so a pooler sends it to one process.
    await client.query(`DO $$ BEGIN ${alters.join(' ')} END $$; ${sets.join(' ')}`);
  } finally {
    await client.end();
  }
}
