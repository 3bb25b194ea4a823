import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, startTcpProxy, waitUntil } from '@kurir/testing';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { type Database, inTransaction, openDatabase } from './connect.js';
import { isUnavailable } from './connections/unavailable.js';

const fixture = useDatabaseFixture();

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function openThroughProxy() {
  const proxy = await startTcpProxy(fixture().url);
  const database = openDatabase({ url: proxy.url, poolSize: 2 });
  closers.push(
    () => proxy.close(),
    () => database.close(),
  );
  return { proxy, database };
}

type Ask = (database: Database) => Promise<unknown>;
const askPool: Ask = async ({ pool }) => (await pool.query('SELECT 1 AS one')).rows;
const askPrisma: Ask = async ({ prisma }) => prisma.$queryRaw`SELECT 1 AS one`;

test('a connection whose other side is gone is closed within seconds', async () => {
  const { proxy, database } = await openThroughProxy();
  const asks = [askPool, askPool, askPrisma, askPrisma].map((ask) => () => ask(database));
  for (const answer of await Promise.all(asks.map((ask) => ask()))) expect(answer).toEqual([{ one: 1 }]);
  proxy.abandon();
  // Each query on such a connection times out, and the error counts as "Postgres is away".
  const answers = await Promise.allSettled(asks.map((ask) => ask()));
  const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => isUnavailable(reason));
  // Prisma may have sent both of its queries on one connection, and then opens a new one for the other.
  expect([3, 4]).toContain(refusals.length);
  expect(refusals).not.toContain(false);
  await Promise.all(asks.map((ask) => waitUntil(ask, { what: 'it is answered', timeoutMs: 20_000 })));
});

test('a database that became read-only counts as away, until it can be written again', async () => {
  const made = await createTestDatabase();
  const database = openDatabase({ url: made.url, poolSize: 2 });
  closers.push(
    () => made.drop(),
    () => database.close(),
  );
  const askLists: Ask = ({ lists }) => lists.query('SELECT 1');
  const asks = [askPool, askPrisma, askLists].map((ask) => () => ask(database));
  for (const ask of asks) await ask();
  await made.setReadOnly(true);
  for (const ask of asks)
    await waitUntil(() => ask().then(() => false, isUnavailable), { what: 'refused as unavailable' });
  await expect(askPool(database)).rejects.toThrow('the database is read-only');
  await made.setReadOnly(false);
  for (const ask of asks) await ask();
});

test('each connection says which program it belongs to', async () => {
  const database = openDatabase({ url: fixture().url, poolSize: 1, application: 'kurir worker' });
  closers.push(() => database.close());
  const ask = `SELECT current_setting('application_name') AS name`;
  expect((await database.pool.query(ask)).rows).toEqual([{ name: 'kurir worker' }]);
  expect((await database.lists.query(ask)).rows).toEqual([{ name: 'kurir worker' }]);
  expect(await database.prisma.$queryRawUnsafe(ask)).toEqual([{ name: 'kurir worker' }]);
});

test('a transaction that stays idle is ended, and its locks are free', async () => {
  const database = openDatabase({ url: fixture().url, poolSize: 1 });
  closers.push(() => database.close());
  const lock = (client: pg.PoolClient) => client.query('SELECT pg_advisory_xact_lock(4711)');
  let isLocked = false;
  const stoodStill = inTransaction(database.pool, async (client) => {
    await lock(client);
    isLocked = true;
    await sleep(7_000);
    return client.query('SELECT 1');
  }).catch((error: unknown) => error);
  await waitUntil(() => isLocked, { what: 'it has the lock' });
  // A statement waits for a lock as long as any statement may take, and no longer.
  await inTransaction(fixture().database.pool, lock);
  expect(isUnavailable(await stoodStill)).toBe(true);
  expect(await askPool(database)).toEqual([{ one: 1 }]);
});

test('a transaction that went silent leaves nothing in later connections', async () => {
  const { proxy, database } = await openThroughProxy();
  const { prisma } = database;
  const failed = prisma
    .$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      proxy.freeze();
      return tx.$queryRaw`SELECT 1`;
    })
    .catch((error: unknown) => error);
  expect(await failed).toBeInstanceOf(Error);
  proxy.thaw();
  const current = () => prisma.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`;
  const [first, second] = [await current(), await current()];
  expect(second[0]?.id).not.toBe(first[0]?.id);
});
