/** Tests the api as a process: its start, refused starts and its shutdown. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { oldNodeWarning } from '@kurir/config';
import { publicOperations } from '@kurir/contracts';
import { openDatabase } from '@kurir/database';
import {
  createTestDatabase,
  freePort,
  startProgram,
  hasRedisServer,
  startRedisServer,
  stopAllPrograms,
  type TestDatabase,
  testRedisUrl,
  waitUntil,
  whyNoRedisServer,
} from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer } from '../test/customer-fixture.js';
import { aMessage, call } from '../test/signed-request.js';

const path = 'apps/api/dist/main.js';
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await stopAllPrograms();
  await testDatabase.drop();
});

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: testDatabase.url,
  REDIS_URL: testRedisUrl(),
  KURIR_MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
  KURIR_INTERNAL_KEY: Buffer.alloc(32, 'i').toString('base64'),
  KURIR_QUEUE_PREFIX: 'kurir-test-main',
  PORT: '0',
  ...more,
});

async function startReady(more: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    program: await startProgram({
      path,
      env: environment({ PORT: String(port), ...more }),
      ready: `${url}/health/ready`,
    }),
  };
}

const isRefused = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe.concurrent('the api program', { timeout: 90_000 }, () => {
  test('wrong settings stop the start, and the error names all of them without a stack or their values', async () => {
    const program = await startProgram({
      path,
      env: { REDIS_URL: 'nonsense', KURIR_MASTER_KEY: 'c2hvcnQ=', PORT: '99999' },
    });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    const output = program.lines.join('\n');
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY', 'PORT'])
      expect(output).toContain(name);
    expect(output).not.toMatch(/ {4}at |c2hvcnQ/);
  });

  test('production does not start if Postgres could lose accepted messages, and the error says so plainly', async () => {
    const unsafe = new URL(testDatabase.url);
    unsafe.searchParams.set('options', '-c synchronous_commit=off');
    const env = environment({ NODE_ENV: 'production', DATABASE_URL: unsafe.href });
    const program = await startProgram({ path, env });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.lines.join('\n')).toContain('synchronous_commit');
    expect(program.lines.join('\n')).not.toContain('    at ');
  });

  test('elsewhere the api starts with a warning, even if Postgres and Redis do not answer yet', async () => {
    const unreachable = environment({ DATABASE_URL: 'postgresql://127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' });
    const program = await startProgram({ path, env: unreachable });
    const line = await program.waitForLine(/api listening/, 60_000);
    expect(JSON.parse(line)).toMatchObject({ port: expect.any(Number) });
    expect(program.lines.some((text) => text.includes('not fit for production'))).toBe(true);
    const warnsOfNode = program.lines.some((text) => text.includes('no security fixes'));
    expect(warnsOfNode).toBe(oldNodeWarning() !== null);
  });

  test('a master key that is not the one of the database gives a plain error', async () => {
    const running = await startReady();
    await running.program.stop();
    const other = Buffer.alloc(32, 'x').toString('base64');
    const wrong = await startProgram({ path, env: environment({ KURIR_MASTER_KEY: other }) });
    expect(await wrong.exited).toEqual({ code: 1, signal: null });
    expect(wrong.lines.join('\n')).toMatch(/KURIR_MASTER_KEY lacks the key [0-9a-f]{8}/);
  });

  test.each(['PORT', 'KURIR_METRICS_PORT'])('a port in use as %s gives a plain error', async (setting) => {
    const { url } = await startReady();
    const second = await startProgram({ path, env: environment({ PORT: '0', [setting]: new URL(url).port }) });
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.lines.join('\n')).toMatch(/EADDRINUSE/);
    expect(second.lines.join('\n')).not.toContain('    at ');
  });

  test.skipIf(!hasRedisServer).each([
    ['Redis Cluster', { config: ['cluster-enabled yes'] }],
    ['Redis Sentinel', { sentinel: true }],
  ])(
    `a %s stops the start with a plain error${hasRedisServer ? '' : ` (skipped: ${whyNoRedisServer})`}`,
    async (name, options) => {
      const redis = await startRedisServer(options);
      const program = await startProgram({ path, env: environment({ REDIS_URL: redis.url }) });
      expect(await program.exited).toEqual({ code: 1, signal: null });
      expect(program.lines.join('\n')).toContain(name);
      expect(program.lines.join('\n')).not.toContain('    at ');
      await redis.stop();
    },
  );

  test('on SIGTERM an api that drains serves for a while, and says that it is not ready', async () => {
    const { url, program } = await startReady({ KURIR_DRAIN_SECONDS: '3' });
    program.signal('SIGTERM');
    await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 503, {
      what: 'not ready',
      everyMs: 20,
    });
    const last = await fetch(`${url}/health/live`);
    // So no proxy sends a request over a connection that the api is about to close.
    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(await isRefused(`${url}/health/live`)).toBe(true);
  });

  test('on SIGTERM the api finishes the request in flight, refuses new ones and exits', async () => {
    const database = openDatabase({ url: testDatabase.url, poolSize: 2 });
    const locker = await database.pool.connect();
    try {
      const { url, program } = await startReady();
      const customer = await createCustomer(database);
      // The first message fills the caches and opens connections.
      expect((await call(url, customer, 'sendMessage', { body: aMessage })).status).toBe(200);
      await locker.query('BEGIN; LOCK TABLE request_keys');
      const running = call(url, customer, 'sendMessage', { body: aMessage });
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitUntil(async () => (await database.pool.query(waiting)).rowCount, {
        what: 'the request waits for the database',
      });
      program.signal('SIGTERM');
      await waitUntil(() => isRefused(url), { what: 'new connections are refused' });
      await locker.query('COMMIT');
      expect((await running).status).toBe(200);
      expect(await program.exited).toEqual({ code: 0, signal: null });
      expect(program.lines.some((line) => line.includes('api stopped'))).toBe(true);
    } finally {
      locker.release();
      await database.close();
    }
  });

  test('a request that never ends does not delay the exit beyond the limit', async () => {
    const { url, program } = await startReady();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const credentials = 'X-API-Key: a\r\nX-Timestamp: b\r\nX-Signature: c\r\nX-Device-Id: d\r\n';
    const length = 'Content-Length: 100\r\nExpect: 100-continue\r\n';
    socket.write(`POST ${publicOperations.sendMessage.path} HTTP/1.1\r\nHost: x\r\n${credentials}${length}\r\n`);
    const [goOn] = (await once(socket, 'data')) as [Buffer];
    expect(goOn.toString()).toMatch(/^HTTP\/1.1 100 /);
    expect(await program.stop('SIGTERM', 20_000)).toMatchObject({ signal: null });
  });
});
