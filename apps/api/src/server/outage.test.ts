/** Tests the api while Postgres or Redis is away or silent, and after it is back. */
import {
  createTestDatabase,
  hasRedisServer,
  startRedisServer,
  startTcpProxy,
  type TcpProxy,
  testRedisUrl,
  waitUntil,
  whyNoRedisServer,
} from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call, freshTimestamp, readAnswer } from '../../test/signed-request.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

let well: TestApi;
beforeAll(async () => {
  well = await startTestApi();
});
afterAll(() => well.close());

const send = (api: TestApi, customer: Customer, timestamp = freshTimestamp()) =>
  call(api.url, customer, 'sendMessage', { body: aMessage, timestamp });

const ready = async (api: TestApi) => readAnswer(await fetch(`${api.url}/health/ready`));

async function withProxy(target: string, work: (proxy: TcpProxy) => Promise<void>): Promise<void> {
  const proxy = await startTcpProxy(target);
  try {
    await work(proxy);
  } finally {
    await proxy.close();
  }
}

async function withApi(settings: TestApi['settings'], work: (api: TestApi) => Promise<void>): Promise<void> {
  const api = await startApiOn(settings);
  try {
    await work(api);
  } finally {
    await api.close();
  }
}

describe('while Redis is away', () => {
  test('messages are accepted quickly, from the first second on', async () => {
    await withApi({ ...well.settings, REDIS_URL: 'redis://127.0.0.1:1' }, async (api) => {
      const customer = await createCustomer(api.database);
      for (let i = 0; i < 5; i++) {
        const since = performance.now();
        const answer = await send(api, customer);
        expect([answer.status, answer.headers.get('RateLimit')]).toEqual([200, null]);
        expect(performance.now() - since).toBeLessThan(6_000);
      }
      expect((await ready(api)).body.data).toMatchObject({ database: 'up', redis: 'down' });
      expect(api.logs.some((line) => line.text.includes('tickets not enqueued'))).toBe(true);
    });
  });

  test('a typing signal is refused with an error that says why', async () => {
    await withApi({ ...well.settings, REDIS_URL: 'redis://127.0.0.1:1' }, async (api) => {
      const customer = await createCustomer(api.database);
      const answer = await call(api.url, customer, 'chatPresence', {
        body: { action: 'start', phone_destination: '6281234567890' },
      });
      expect([answer.status, answer.body.code, answer.headers.get('Retry-After')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '2',
      ]);
    });
  });

  test('messages are accepted during a cut and a silence, and limits count again afterwards', async () => {
    await withProxy(testRedisUrl(), async (proxy) => {
      await withApi({ ...well.settings, REDIS_URL: proxy.url }, async (api) => {
        const customer = await createCustomer(api.database);
        await waitUntil(async () => (await send(api, customer)).headers.get('RateLimit'), { what: 'limits count' });
        proxy.freeze();
        const since = performance.now();
        for (let i = 0; i < 10; i++) expect((await send(api, customer)).status).toBe(200);
        expect(performance.now() - since).toBeLessThan(10_000);
        proxy.thaw();
        await proxy.cut();
        expect((await send(api, customer)).status).toBe(200);
        await proxy.restore();
        await waitUntil(async () => (await send(api, customer)).headers.get('RateLimit'), {
          what: 'limits count again',
        });
      });
    });
  });
});

describe('while Postgres is away', () => {
  test('requests get 503 with Retry-After, and work again when it is back', async () => {
    await withProxy(well.settings.DATABASE_URL, async (proxy) => {
      await withApi({ ...well.settings, DATABASE_URL: proxy.url }, async (api) => {
        const customer = await createCustomer(well.database);
        const timestamp = freshTimestamp();
        const first = await send(api, customer, timestamp);
        expect(first.status).toBe(200);
        await proxy.cut();
        for (const operation of ['sendMessage', 'sendBulk', 'deviceInfo', 'renewAccount', 'accountInfo'] as const) {
          const body = { sendMessage: aMessage, sendBulk: { messages: [aMessage] } }[operation as string];
          const answer = await call(api.url, customer, operation, { body });
          expect([operation, answer.status, answer.body.code]).toEqual([operation, 503, 'SERVICE_UNAVAILABLE']);
          expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
        }
        // The specification requires 500 here.
        const plan = await call(api.url, customer, 'latestPlan');
        expect([plan.status, plan.body.code]).toEqual([500, 'INTERNAL_ERROR']);
        expect((await ready(api)).status).toBe(503);
        await proxy.restore();
        await waitUntil(async () => (await ready(api)).status === 200, { what: 'ready again' });
        const again = await send(api, customer, timestamp);
        expect(again.body).toEqual(first.body);
      });
    });
  });

  test('a database that may only be read counts as away, until a primary answers', async () => {
    const database = await createTestDatabase();
    try {
      await withApi({ ...well.settings, DATABASE_URL: database.url }, async (api) => {
        const customer = await createCustomer(api.database);
        expect((await send(api, customer)).status).toBe(200);
        await database.setReadOnly(true);
        await waitUntil(async () => (await ready(api)).status === 503, { what: 'not ready' });
        const refused = await send(api, customer);
        expect([refused.status, refused.body.code, refused.headers.get('Retry-After')]).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          expect.stringMatching(/^\d+$/),
        ]);
        await database.setReadOnly(false);
        await waitUntil(async () => (await ready(api)).status === 200, { what: 'ready again' });
        expect((await send(api, customer)).status).toBe(200);
      });
    } finally {
      await database.drop();
    }
  });

  test('an answer lost in the commit is found by sending the same request again', async () => {
    await withProxy(well.settings.DATABASE_URL, async (proxy) => {
      await withApi({ ...well.settings, DATABASE_URL: proxy.url }, async (api) => {
        const customer = await createCustomer(well.database, { quota: 100 });
        const timestamps = Array.from({ length: 40 }, freshTimestamp);
        await send(api, customer);
        const answers = timestamps.map((timestamp) => send(api, customer, timestamp));
        await proxy.cut();
        await proxy.restore();
        const statuses = new Set((await Promise.all(answers)).map((answer) => answer.status));
        expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
        const jobs = await Promise.all(
          timestamps.map((timestamp) =>
            waitUntil(async () => (await send(api, customer, timestamp)).body.data?.['job_id'], {
              what: 'accepted at last',
            }),
          ),
        );
        expect(new Set(jobs).size).toBe(40);
        const info = await call(api.url, customer, 'accountInfo');
        expect(info.body.data['remaining_quota']).toBe('59');
      });
    });
  });

  test('an unexpected error is logged with its stack, and the answer has no detail', async () => {
    const secret = 'canary-in-an-error';
    const fail = () => Promise.reject(new Error(secret));
    const api = await startApiOn(well.settings, { keys: { read: fail, readAnew: fail } });
    try {
      const answer = await send(api, await createCustomer(well.database));
      expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
      const line = api.logs.find((entry) => entry.level === 'error');
      expect(line?.fields).toMatchObject({
        requestId: answer.headers.get('X-Request-Id'),
        err: { message: secret, stack: expect.stringContaining('    at ') },
      });
    } finally {
      await api.close();
    }
  });
});

test.skipIf(!hasRedisServer)(`readiness names a Redis that refuses writes (skipped: ${whyNoRedisServer})`, async () => {
  const full = await startRedisServer({ config: ['maxmemory 1', 'maxmemory-policy noeviction'] });
  const replica = await startRedisServer({ config: ['replicaof 127.0.0.1 1'] });
  try {
    for (const [server, state] of [
      [full, 'full'],
      [replica, 'read_only'],
    ] as const)
      await withApi({ ...well.settings, REDIS_URL: server.url }, async (api) => {
        await waitUntil(async () => (await ready(api)).body.data?.['redis'] === state, { what: state });
        expect((await send(api, await createCustomer(api.database))).status).toBe(200);
      });
  } finally {
    await Promise.all([full.stop(), replica.stop()]);
  }
});

test('/health/live works without Postgres and Redis', async () => {
  await withApi(
    { ...well.settings, REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgresql://127.0.0.1:1/x' },
    async (api) => {
      expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
      expect((await ready(api)).body.code).toBe('SERVICE_UNAVAILABLE');
    },
  );
});
