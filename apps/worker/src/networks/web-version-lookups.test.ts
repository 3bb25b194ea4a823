/** Which worker looks up the version of the web client, through what, and what a failed lookup changes. */
import type { RequestListener } from 'node:http';
import { startHttpProxy, startSocksProxy } from '@kurir/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { builtIn, useWebVersionsFixture } from '../../test/web-versions-fixture.js';

const fixture = useWebVersionsFixture();
const live = new AbortController().signal;

test('two workers that start at the same time make one lookup, and agree', async () => {
  const other = fixture().openDatabase();
  try {
    const both = await Promise.all([fixture().open(), fixture().open({ database: other })]);
    await Promise.all(both.map((versions) => versions.tend(live)));
    await Promise.all(both.map((versions) => versions.tend(live)));
    expect(both.map((versions) => versions.current())).toEqual(['2.3000.200', '2.3000.200']);
    expect(fixture().webClient.requests).toBe(1);
  } finally {
    await other.close();
  }
});

describe('a worker claims a lookup only once in some minutes', () => {
  let claims: string[];
  let nowMs: number;
  const openCounting = () => {
    const { database } = fixture();
    const [pool, counting] = [database.pool, Object.create(database.pool)];
    counting.query = (query: string | { name?: string }, ...rest: unknown[]) => {
      if (typeof query === 'object' && query.name === 'claim-version-lookup') claims.push(query.name);
      return Reflect.apply(pool.query, pool, [query, ...rest]);
    };
    return fixture().open({ database: { ...database, pool: counting }, now: () => nowMs });
  };
  beforeEach(() => {
    [claims, nowMs] = [[], 0];
  });

  test('while devices have proxies', async () => {
    await fixture().giveProxy();
    const versions = await openCounting();
    for (const _ of [1, 2, 3]) {
      versions.refused(versions.current());
      await versions.tend(live);
    }
    expect(claims).toHaveLength(1);
    await fixture().removeProxies();
    nowMs += 300_000;
    await versions.tend(live);
    expect(versions.current()).toBe('2.3000.200');
  });

  test('while no device is of WhatsApp, and again as soon as one connects or is linked', async () => {
    const { database, webClient } = fixture();
    await database.pool.query(`UPDATE devices SET network = 'simulator'`);
    const versions = await openCounting();
    for (const _ of [1, 2, 3]) await versions.tend(live);
    expect(claims).toHaveLength(1);
    await database.pool.query(`UPDATE devices SET network = 'whatsapp'`);
    await versions.tend(live);
    expect(webClient.requests).toBe(0);
    versions.current();
    await versions.tend(live);
    expect([webClient.requests, versions.current()]).toEqual([1, '2.3000.200']);
  });
});

describe('a lookup changes nothing and logs a warning if the web client', () => {
  const answers: readonly (readonly [string, RequestListener, string])[] = [
    ['answers rubbish', (_request, response) => void response.end('<html>'), 'says no version'],
    ['is not there', (_request, response) => void response.writeHead(404).end(), 'status 404'],
    ['redirects', (_request, response) => void response.writeHead(302, { location: '/x' }).end(), 'status 302'],
    ['closes the connection', (request) => void request.destroy(), 'socket hang up'],
    ['never ends its answer', (_request, response) => void response.write('"client_revision":'), 'no answer in time'],
    [
      'sends without an end',
      (_request, response) => {
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', write);
        write();
      },
      'bytes',
    ],
  ];
  test.each(answers)('%s', async (_name, answer, why) => {
    const { webClient } = fixture();
    webClient.answer(answer);
    const timeoutMs = why === 'no answer in time' ? 200 : 5_000;
    const versions = await fixture().openAndTend({ lookUp: { timeoutMs } });
    expect(versions.current()).toBe(builtIn);
    expect(fixture().warnings).toEqual([expect.stringContaining(why)]);
    webClient.say('2.3000.201');
    await versions.tend(live);
    expect(webClient.requests).toBe(1);
    await fixture().passTime('61 minutes');
    await versions.tend(live);
    expect(versions.current()).toBe('2.3000.201');
  });

  test('has a private address', async () => {
    const versions = await fixture().openAndTend({ lookUp: { privateAddresses: 'refuse' } });
    expect(versions.current()).toBe(builtIn);
    expect(fixture().warnings).toEqual([expect.stringContaining('not public')]);
    expect(fixture().webClient.connections).toBe(0);
  });
});

describe("the worker's own address", () => {
  test('is not shown while a device has a proxy and the setting is empty; the log says once what to set', async () => {
    await fixture().giveProxy();
    const versions = await fixture().openAndTend();
    versions.refused(builtIn);
    await versions.tend(live);
    expect(versions.current()).toBe(builtIn);
    expect(fixture().webClient.connections).toBe(0);
    expect(fixture().warnings).toEqual([expect.stringContaining('Set KURIR_WHATSAPP_VERSION_FETCH')]);
  });

  test('is shown while a device has a proxy if the setting allows it', async () => {
    await fixture().giveProxy();
    expect((await fixture().openAndTend({ unlessProxied: false })).current()).toBe('2.3000.200');
  });

  test('is not shown if lookups are off', async () => {
    expect((await fixture().openAndTend({ lookUp: null })).current()).toBe(builtIn);
    expect(fixture().webClient.connections).toBe(0);
    expect(fixture().warnings).toEqual([]);
  });

  test.each([
    ['http', startHttpProxy],
    ['socks5', startSocksProxy],
  ])('is not shown through an %s proxy, even if the proxy fails; no log has its password', async (_scheme, start) => {
    const proxy = await start();
    const { webClient } = fixture();
    const openThrough = (proxyUrl: string) => fixture().openAndTend({ lookUp: { proxyUrl }, unlessProxied: false });
    try {
      const versions = await openThrough(proxy.wrongUrl);
      expect([versions.current(), webClient.connections]).toEqual([builtIn, 0]);
      expect(fixture().warnings).toHaveLength(1);
      await fixture().passTime('61 minutes');
      expect((await openThrough(proxy.url)).current()).toBe('2.3000.200');
      expect(proxy.targets).toEqual([webClient.port]);
      expect(webClient.connections).toBe(1);
      expect(fixture().lines.join()).not.toMatch(/canary|:wrong/);
    } finally {
      await proxy.close();
    }
  });
});

test('a worker that stops aborts its lookup without a warning', async () => {
  const stopping = new AbortController();
  fixture().webClient.answer(() => stopping.abort());
  const versions = await fixture().open();
  await versions.tend(stopping.signal);
  expect(versions.current()).toBe(builtIn);
  expect(fixture().warnings).toEqual([]);
});
