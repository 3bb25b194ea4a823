import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testSetting } from './environment.js';

const IN_USE = '55006';
const ATTEMPTS = 20;

export type TestDatabase = {
  readonly url: string;
  /** Ends all connections. New ones may only read, as those to a standby, or may write again. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** Closes all connections to the database and removes it. Safe to call twice. */
  drop(): Promise<void>;
};

/** Creates a database with all migrations applied. It is a copy of the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = new URL(testSetting('KURIR_TEST_TEMPLATE_URL'));
  const name = `kurir_test_${randomBytes(6).toString('hex')}`;
  await withClient(testSetting('KURIR_TEST_ADMIN_URL'), (client) =>
    copyTemplate(client, name, databaseIn(template.href)),
  );
  const url = new URL(template);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    setReadOnly: (isReadOnly) =>
      withClient(testSetting('KURIR_TEST_ADMIN_URL'), async (client) => {
        await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      }),
    drop: () => dropDatabase(testSetting('KURIR_TEST_ADMIN_URL'), url.href),
  };
}

/** Removes the database of `url`, even if it is in use. */
export function dropDatabase(adminUrl: string, url: string): Promise<void> {
  const name = databaseIn(url);
  return withClient(adminUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

function databaseIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** Postgres does not copy a database while somebody is connected to it. A migrator may still be leaving. */
async function copyTemplate(client: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${client.escapeIdentifier(template)}`);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error;
      await client.query('SELECT pg_sleep(0.05)');
    }
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
