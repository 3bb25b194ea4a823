/** An address with two servers. The test has a primary and its standby, and kills the primary. */
import { fileURLToPath } from 'node:url';
import { openPostgresServers, type PostgresServers, waitUntil, whyNoPostgresServers } from '@kurir/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copies, DatabaseFixture } from '../../test/database-fixture.js';
import { isUnavailable } from './connections/unavailable.js';
import { type Database, openDatabase, pingDatabase } from './connect.js';
import { migrate } from './migrate.js';

const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

let servers: PostgresServers | null = null;
const databases: Database[] = [];
beforeEach(async (ctx) => {
  servers = await openPostgresServers();
  if (servers === null) ctx.skip(whyNoPostgresServers);
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
  await servers?.remove();
});

async function startPair() {
  if (servers === null) throw new Error(whyNoPostgresServers);
  const pair = await servers.startPair();
  await migrate(pair.url, migrations);
  return pair;
}

function open(url: string): Database {
  const database = openDatabase({ url, poolSize: 4 });
  databases.push(database);
  return database;
}

const works = (ask: () => Promise<unknown>) =>
  ask().then(
    () => true,
    () => false,
  );

test('after the standby was promoted, all pools go on, and nothing that was accepted is lost', async () => {
  const { primary, promote, url } = await startPair();
  const fixture = new DatabaseFixture(open(`${url}?target_session_attrs=read-write`), url);
  const { database } = fixture;
  const tenant = await fixture.tenant({ quota: null });
  await fixture.claim(tenant.holder);
  const asks = [
    () => database.pool.query('SELECT 1'),
    () => database.lists.query('SELECT 1'),
    () => database.prisma.$queryRaw`SELECT 1`,
    () => pingDatabase(database),
  ];
  for (const ask of asks) await ask();

  const accepted = new Set<string>();
  const refused: unknown[] = [];
  const over = new AbortController();
  const load = copies(4).map(async () => {
    while (!over.signal.aborted)
      await fixture.accept(tenant).then(
        (outcomes) => outcomes.forEach(({ messageId }) => accepted.add(messageId)),
        (error: unknown) => refused.push(error),
      );
  });
  await waitUntil(() => accepted.size >= 20, { what: 'messages are accepted' });
  await primary.end('SIGKILL');
  await waitUntil(() => refused.length > 0, { what: 'the primary is missed', timeoutMs: 30_000 });
  expect(await works(() => pingDatabase(database))).toBe(false);
  await promote();
  const before = accepted.size;
  await waitUntil(() => accepted.size >= before + 20, { what: 'messages are accepted again', timeoutMs: 30_000 });
  over.abort();
  await Promise.all(load);
  for (const ask of asks) await ask();
  expect(refused.filter((error) => !isUnavailable(error))).toEqual([]);
  const rows = await fixture.query<{ id: string }>('SELECT id FROM messages');
  const stored = new Set(rows.map(({ id }) => id));
  expect([...accepted].filter((id) => !stored.has(id))).toEqual([]);
});

test('while no server may be written, each pool refuses, and says why', async () => {
  const { primary, standby, url } = await startPair();
  const database = open(url);
  await primary.end('SIGKILL');
  await expect(database.pool.query('SELECT 1')).rejects.toSatisfy(isUnavailable);
  await expect(database.prisma.$queryRaw`SELECT 1`).rejects.toSatisfy(isUnavailable);
  await expect(open(standby.urlOf('kurir')).pool.query('SELECT 1')).rejects.toThrow('the database is read-only');
});
