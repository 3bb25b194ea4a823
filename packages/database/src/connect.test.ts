import { startTcpProxy, waitUntil } from '@kurir/testing';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type Database, inTransaction, isUnavailable, openDatabase } from './connect.js';
import { useBench } from './testing/bench.js';

const bench = useBench();

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Ask = (database: Database) => Promise<unknown>;
const askPool: Ask = async ({ pool }) => (await pool.query('SELECT 1 AS one')).rows;
const askPrisma: Ask = async ({ prisma }) => prisma.$queryRaw`SELECT 1 AS one`;

test('connections whose other side is gone without a word are given up within seconds', async () => {
  const proxy = await startTcpProxy(bench().url);
  const database = openDatabase({ url: proxy.url, poolSize: 2 });
  closers.push(
    () => proxy.close(),
    () => database.close(),
  );
  const asks = [askPool, askPool, askPrisma, askPrisma].map((ask) => () => ask(database));
  for (const answer of await Promise.all(asks.map((ask) => ask()))) expect(answer).toEqual([{ one: 1 }]);
  proxy.abandon();
  await Promise.all(asks.map((ask) => waitUntil(ask, { what: 'it is answered', timeoutMs: 40_000 })));
});

test('a transaction whose process is gone, or stands still, is ended, and the locks it had are free', async () => {
  const proxy = await startTcpProxy(bench().url);
  const database = openDatabase({ url: proxy.url, poolSize: 1 });
  closers.push(
    () => proxy.close(),
    () => database.close(),
  );
  const lock = (client: pg.PoolClient) => client.query('SELECT pg_advisory_xact_lock(4711)');
  let isLocked = false;
  const stoodStill = inTransaction(database.pool, async (client) => {
    await lock(client);
    proxy.abandon();
    isLocked = true;
    return client.query('SELECT 1');
  }).catch((error: unknown) => error);
  await waitUntil(() => isLocked, { what: 'it has the lock' });
  // A lock is waited for as long as a statement may take, and no longer.
  await inTransaction(bench().database.pool, lock);
  expect(isUnavailable(await stoodStill)).toBe(true);
});
