/** Reports read from a standby while it is fresh, and from the primary otherwise. The test has a primary and its standby. */
import { fileURLToPath } from 'node:url';
import { openPostgresServers, type PostgresServers, waitUntil, whyNoPostgresServers } from '@kurir/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReplicaState } from './connections/replica.js';
import { type Database, openDatabase } from './connect.js';
import { migrate } from './migrate.js';

const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const maxLagMs = 2_500;
/** A full machine starves the standby now and then. A fault of ours comes back each time. */
const again = { retry: 2 };

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

type Answer = { readonly standby: boolean; readonly value: string };

async function openPair(replicaOf: (pair: Awaited<ReturnType<PostgresServers['startPair']>>) => string) {
  if (servers === null) throw new Error(whyNoPostgresServers);
  const pair = await servers.startPair();
  const url = pair.primary.urlOf('kurir');
  await migrate(url, migrations);
  const states: ReplicaState[] = [];
  const replica = { url: replicaOf(pair), maxLagMs, onChange: (state: ReplicaState) => void states.push(state) };
  const database = openDatabase({ url, poolSize: 4, replica });
  databases.push(database);
  await database.pool.query(`CREATE TABLE numbers (value bigint); INSERT INTO numbers VALUES (0)`);
  const read = async (): Promise<Answer> => {
    const text = 'SELECT pg_is_in_recovery() AS standby, value::text FROM numbers WHERE value >= $1';
    const [row] = (await database.reports.lists.query<Answer>(text, [0])).rows;
    if (row === undefined) throw new Error('no number');
    return row;
  };
  const untilFromStandby = (is: boolean) =>
    waitUntil(async () => (await read()).standby === is, { what: `reports read from the standby: ${is}` });
  return { pair, database, states, read, untilFromStandby };
}

test('reports read from the standby, and lists and messages from the primary', async () => {
  const { database, states, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await untilFromStandby(true);
  expect(states.at(-1)).toBe('fresh');
  const asked = 'SELECT pg_is_in_recovery() AS standby';
  for (const pool of [database.pool, database.lists, database.reports.pool])
    expect((await pool.query(asked)).rows).toEqual([{ standby: false }]);
});

test(
  'reports read from the standby while the primary writes all the time, also after a quiet time',
  again,
  async () => {
    const { database, states, read, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
    await untilFromStandby(true);
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        await database.pool.query('UPDATE numbers SET value = value + 1');
        // Without a pause, this loop alone keeps a core busy on each of the two servers.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    try {
      states.length = 0;
      for (let i = 0; i < 3; i++) {
        await new Promise((resolve) => setTimeout(resolve, maxLagMs + 500));
        expect((await read()).standby).toBe(true);
      }
      expect(states).toEqual([]);
    } finally {
      over.abort();
      await writing;
    }
  },
);

test('more reports at once than the standby has connections do not make it away', again, async () => {
  const { database, states, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await untilFromStandby(true);
  states.length = 0;
  const { lists } = database.reports;
  const slow = Array.from({ length: 5 }, () => lists.query('SELECT pg_sleep(5), pg_is_in_recovery() AS standby'));
  const answers = (await Promise.all(slow)).map(({ rows }) => (rows as Answer[])[0]?.standby);
  expect(answers.filter(Boolean)).toHaveLength(3);
  expect(states).toEqual([]);
});

test('a standby that stays behind shows nothing older than the limit, and is read again when it has caught up', async () => {
  const { pair, database, states, read, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await untilFromStandby(true);
  await pair.standby.ask('SELECT pg_wal_replay_pause()').catch(() => undefined);
  await untilPaused(pair.standby);
  const written: { readonly value: bigint; readonly at: number }[] = [];
  const fromStandby = new Set<boolean>();
  for (let value = 1n; value <= 60n; value++) {
    await database.pool.query('UPDATE numbers SET value = $1', [value]);
    written.push({ value, at: performance.now() });
    const askedAt = performance.now();
    const answer = await read();
    fromStandby.add(answer.standby);
    const due = written.findLast(({ at }) => at <= askedAt - maxLagMs)?.value ?? 0n;
    expect(BigInt(answer.value)).toBeGreaterThanOrEqual(due);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect([fromStandby, states.at(-1)]).toEqual([new Set([true, false]), 'late']);
  await pair.standby.ask('SELECT pg_wal_replay_resume()');
  await untilFromStandby(true);
  expect((await read()).value).toBe('60');
});

const untilPaused = (standby: { ask(sql: string): Promise<Record<string, unknown>[]> }) =>
  waitUntil(async () => (await standby.ask('SELECT pg_get_wal_replay_pause_state() AS is'))[0]?.['is'] === 'paused', {
    what: 'the standby replays nothing',
  });

test('a standby that dies fails no report, and is read again when it is back', async () => {
  const { pair, states, read, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await untilFromStandby(true);
  await pair.standby.end('SIGKILL');
  for (let i = 0; i < 20; i++) expect((await read()).standby).toBe(false);
  expect(states.at(-1)).toBe('away');
  await pair.standby.start();
  await untilFromStandby(true);
});

test('a statement that stands in the way of the replay runs on the primary, and a wrong one fails', async () => {
  const { database, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await database.pool.query(`CREATE FUNCTION conflict() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    IF pg_is_in_recovery() THEN RAISE EXCEPTION 'conflict with recovery' USING ERRCODE = '40001'; END IF;
    RETURN 'primary'; END $$`);
  await untilFromStandby(true);
  const { lists } = database.reports;
  expect((await lists.query('SELECT conflict()')).rows).toEqual([{ conflict: 'primary' }]);
  await untilFromStandby(true);
  await expect(lists.query('SELECT nothing_like_this')).rejects.toMatchObject({ code: '42703' });
});

test('an address without such a database fails no report', async () => {
  const { states, read } = await openPair(({ standby }) => standby.urlOf('nothing'));
  await waitUntil(async () => (await read()) && states.at(-1) === 'away', { what: 'the standby counts as away' });
  expect(await read()).toEqual({ standby: false, value: '0' });
});

test('a primary, and a standby that was promoted, are not read', async () => {
  const { pair, states, read, untilFromStandby } = await openPair(({ standby }) => standby.urlOf('kurir'));
  await untilFromStandby(true);
  await pair.promote();
  await waitUntil(async () => (await read()) && states.at(-1) === 'other', { what: 'the other primary is not read' });
  const own = await openPair(({ primary }) => primary.urlOf('kurir'));
  await waitUntil(async () => (await own.read()) && own.states.at(-1) === 'other', {
    what: 'the primary is no standby',
  });
});
