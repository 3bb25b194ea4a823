import { startTcpProxy, waitUntil } from '@kurir/testing';
import { afterEach, expect, test } from 'vitest';
import { type Database, openDatabase } from './connect.js';
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
