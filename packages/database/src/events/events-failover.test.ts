/** A standby that lacks the newest events takes over. The test runs two servers of the same Postgres as all tests. */
import { fileURLToPath } from 'node:url';
import {
  openPostgresServers,
  type PostgresServer,
  type PostgresServers,
  waitUntil,
  whyNoPostgresServers,
} from '@kurir/testing';
import { afterAll, expect, test } from 'vitest';
import { createAccount } from '../accounts/accounts.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { migrate } from '../postgres/migrate.js';
import { isLost, readEndOfLog, readEvents } from './events.js';

const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const patience = { timeoutMs: 60_000 };

let servers: PostgresServers | null = null;
const databases: Database[] = [];
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close().catch(() => undefined)));
  await servers?.remove();
});

function open(server: PostgresServer): Database {
  const database = openDatabase({ url: server.urlOf('kurir'), poolSize: 2 });
  databases.push(database);
  return database;
}

const answers = (ask: () => Promise<unknown>) =>
  waitUntil(
    () =>
      ask().then(
        () => true,
        () => false,
      ),
    { what: 'the server answers', ...patience },
  );

async function positionOfLast(database: Database, accountId: Awaited<ReturnType<typeof createAccount>>) {
  const { rows } = await database.pool.query<{ generation: bigint; xid: string; seq: bigint }>(
    'SELECT generation, xid::text AS xid, seq FROM events WHERE account_id = $1 ORDER BY generation DESC, xid DESC, seq DESC LIMIT 1',
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('there is no event');
  return { generation: row.generation, xid: BigInt(row.xid), seq: row.seq };
}

const rename = ({ pool }: Database, accountId: string, name: string) =>
  pool.query('UPDATE accounts SET name = $2 WHERE id = $1', [accountId, name]);

test('a reader that saw a lost event must start again, and any other misses nothing', async (context) => {
  servers = await openPostgresServers();
  if (servers === null) return context.skip(whyNoPostgresServers);
  const primary = await servers.create();
  await primary.start();
  await migrate(primary.urlOf('kurir'), migrations);
  await primary.end('SIGINT');
  const standby = await servers.createStandbyOf(primary);

  await primary.start();
  const before = open(primary);
  await answers(() => before.pool.query('SELECT 1'));
  const accountId = await createAccount(before, 'test');
  const from = await readEndOfLog(before);
  await standby.start();
  await rename(before, accountId, 'replicated');
  const replicated = await positionOfLast(before, accountId);
  const isReplicated = async () => {
    const { rows } = await before.pool.query(
      `SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()`,
    );
    return rows.length === 1;
  };
  await waitUntil(isReplicated, { what: 'the standby has the event', ...patience });
  await standby.end('SIGINT');
  await rename(before, accountId, 'lost');
  const lost = await positionOfLast(before, accountId);
  expect((await readEvents(before, [accountId], from, 10)).events).toHaveLength(2);
  await primary.end('SIGKILL');

  await standby.start();
  const after = open(standby);
  await expect(after.pool.query('SELECT 1')).rejects.toThrow('the database is read-only');
  await standby.ask('SELECT pg_promote()');
  await answers(() => after.pool.query('SELECT 1'));
  await rename(after, accountId, 'after');
  expect(await isLost(after, lost)).toBe(true);
  const { events } = await readEvents(after, [accountId], replicated, 10);
  expect(events.map(({ position }) => position.generation)).toEqual([replicated.generation + 1n]);
  expect((await readEvents(after, [accountId], from, 10)).events.map(({ kind }) => kind)).toEqual([
    'account.changed',
    'account.changed',
  ]);
}, 120_000);
