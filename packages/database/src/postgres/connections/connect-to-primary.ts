import pg from 'pg';
import { Servers } from './servers.js';
import { isUnavailable, ReadOnlyDatabase } from './unavailable.js';

const patienceMs = 5_000;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs });
  await client.connect();
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'off') return client;
  await client.end();
  throw new ReadOnlyDatabase();
}

export const isDatabaseMissing = (error: unknown) => error instanceof pg.DatabaseError && error.code === '3D000';

/**
 * Connects to the first server of `url` that may be written. A database may be missing only on a standby that lags. So
 * this rejects with the error of a missing database after all others. `database` replaces the one of the URL.
 */
export async function connectToPrimary(url: string, database?: string): Promise<pg.Client> {
  const servers = new Servers(url, database);
  let missing: unknown;
  for (let more = servers.count - 1; ; more--) {
    try {
      return await connect(servers.url);
    } catch (error) {
      if (isDatabaseMissing(error)) missing ??= error;
      else if (!isUnavailable(error)) throw error;
      if (more === 0) throw missing ?? error;
      servers.leave(servers.url);
    }
  }
}
