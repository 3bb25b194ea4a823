/**
 * The role of api and worker, which owns nothing. It cannot switch off the triggers of the audit log, because only the
 * owner of a table may. The migrator calls this after each run, so new tables get their rights too. A second run
 * changes nothing.
 */
import { urlsOfServers } from '@kurir/config';
import pg from 'pg';
import { connectToPrimary } from './connections/connect-to-primary.js';

/** Tables to which the role may add rows. It may not change what stands there. */
const appendOnly = ['audit_log'];
/** Tables that only the migrator uses. */
const hidden = ['_prisma_migrations'];
/** The first version in which a role may analyze a table of another (`keep-plans-fresh.ts`). */
const versionWithMaintain = 170_000;

const oneOf = (url: string) => new URL(urlsOfServers(url)[0] ?? url);
const userOf = (url: string) => decodeURIComponent(oneOf(url).username);
const passwordOf = (url: string) => decodeURIComponent(oneOf(url).password);

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPrimary(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const wrongPassword = '28P01';

async function canLogIn(url: string): Promise<boolean> {
  try {
    return await withClient(url, () => Promise.resolve(true));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === wrongPassword) return false;
    throw error;
  }
}

const alreadyThere: ReadonlySet<string | undefined> = new Set(['42710', '23505']);

async function keepRole(client: pg.Client, appUrl: string): Promise<void> {
  const user = userOf(appUrl);
  const role = client.escapeIdentifier(user);
  const password = client.escapeLiteral(passwordOf(appUrl));
  const { rows } = await client.query<{ rolsuper: boolean }>('SELECT rolsuper FROM pg_roles WHERE rolname = $1', [
    user,
  ]);
  if (rows[0]?.rolsuper === true)
    throw new Error(`${user} is a superuser, and could change the audit log; name another user for api and worker`);
  if (rows.length > 0 && (await canLogIn(appUrl))) return;
  const sql =
    rows.length === 0
      ? `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${password}`
      : `ALTER ROLE ${role} PASSWORD ${password}`;
  try {
    await client.query(sql);
  } catch (error) {
    // Another database of the same server has just made it.
    if (!(error instanceof pg.DatabaseError) || !alreadyThere.has(error.code)) throw error;
  }
}

async function grant(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ database: string; version: number }>(
    `SELECT current_database() AS database, current_setting('server_version_num')::int AS version`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('Postgres does not say which version it has');
  const rights = `SELECT, INSERT, UPDATE, DELETE${server.version >= versionWithMaintain ? ', MAINTAIN' : ''}`;
  // A schema that came from an older Postgres may let everybody make tables and functions in it.
  await client.query(`
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${client.escapeIdentifier(server.database)} TO ${role};
    GRANT USAGE ON SCHEMA public TO ${role};
    GRANT ${rights} ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
    GRANT EXECUTE ON FUNCTION make_month_partition(text, text, text, text) TO ${role};
    GRANT EXECUTE ON FUNCTION drop_month_partition(text, boolean) TO ${role};
    GRANT EXECUTE ON FUNCTION make_day_partition(date) TO ${role};
    GRANT EXECUTE ON FUNCTION drop_day_partitions(date) TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${rights} ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${role};
    REVOKE UPDATE, DELETE ON ${appendOnly.join(', ')} FROM ${role};
    REVOKE ALL ON ${hidden.join(', ')} FROM ${role}`);
}

/** Rejects if `appUrl` does not lead into the same database. */
async function checkReach(appUrl: string, database: string | undefined): Promise<void> {
  const reached = await withClient(appUrl, (client) =>
    client.query<{ name: string }>('SELECT current_database() AS name'),
  );
  if (reached.rows[0]?.name !== database)
    throw new Error('KURIR_APP_DATABASE_URL and DATABASE_URL name different databases');
}

/**
 * Makes the role of `appUrl` if it is missing, sets its password if it is another one, and gives it its rights. Does
 * nothing if the owner and the role are the same user. `client` must be a connection of the owner of the tables.
 */
export async function keepAppRole(client: pg.Client, appUrl: string): Promise<void> {
  const user = userOf(appUrl);
  if (user === '' || user === client.user) return;
  await keepRole(client, appUrl);
  // One message, so it is one transaction.
  await grant(client, client.escapeIdentifier(user));
  await checkReach(appUrl, client.database);
}
