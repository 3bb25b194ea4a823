/** The version of the web client: whose word counts, who asks for it and how, and what a failure leaves. */
import type { RequestListener } from 'node:http';
import { createAccount, createDevice, type Database, openDatabase } from '@kurir/database';
import { createLogger, type Logger } from '@kurir/logging';
import { builtInVersion, fetchWebVersion, type WebVersion, type WebVersionOptions } from '@kurir/network-whatsapp';
import { createTestDatabase, startHttpProxy, startSocksProxy, type TestDatabase } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWebClient, type WebClient } from '../../test/web-client.js';
import { showVersionInUse, WebVersions, type WebVersionsOptions } from './web-versions.js';

const builtIn: WebVersion = '2.3000.100';
const live = new AbortController().signal;

let at: TestDatabase;
let database: Database;
let webClient: WebClient;
let lines: string[];
let log: Logger;

beforeAll(async () => {
  at = await createTestDatabase();
  database = openDatabase({ url: at.url, poolSize: 5 });
  const accountId = await createAccount(database, 'test');
  await createDevice(database, { accountId, name: 'd', network: 'whatsapp', pacePerMinute: null });
});
afterAll(async () => {
  await database.close();
  await at.drop();
});

beforeEach(async () => {
  await database.pool.query('DELETE FROM whatsapp_versions');
  await database.pool.query('DELETE FROM whatsapp_version_lookups');
  await database.pool.query('UPDATE devices SET proxy_sealed = NULL');
  webClient = await startWebClient('2.3000.200');
  lines = [];
  log = createLogger({
    name: 't',
    level: 'info',
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  });
});
afterEach(() => webClient.close());

type Changes = Partial<Omit<WebVersionsOptions, 'lookUp'>> & {
  readonly by?: Partial<WebVersionOptions> | null;
  readonly on?: Database;
};

function open({ by = {}, on = database, ...changes }: Changes = {}): Promise<WebVersions> {
  const asking = { url: webClient.url, privateAddresses: 'allow', timeoutMs: 5_000, ...by } as const;
  const lookUp = by === null ? null : (signal: AbortSignal) => fetchWebVersion({ ...asking, signal });
  return WebVersions.open({ database: on, builtIn, pinned: null, lookUp, unlessProxied: true, log, ...changes });
}

async function opened(changes?: Changes): Promise<WebVersions> {
  const versions = await open(changes);
  await versions.tend(live);
  return versions;
}

const passTime = (interval: string) =>
  database.pool.query(
    `UPDATE whatsapp_version_lookups SET asked_at = asked_at - $1::interval, due_at = due_at - $1::interval`,
    [interval],
  );
const warnings = () => lines.filter((line) => JSON.parse(line).level === 40);
const giveProxy = () => database.pool.query(`UPDATE devices SET proxy_sealed = 'x'`);

describe('in use is what was said last, and nothing older than the built-in version:', () => {
  test('that the web client says', async () => {
    const versions = await open();
    expect(versions.inUse).toMatchObject({ version: builtIn, source: 'built-in' });
    let told = 0;
    versions.onChange(() => void (told += 1));
    await versions.tend(live);
    expect(versions.inUse).toMatchObject({ version: '2.3000.200', source: 'web-client' });
    expect(told).toBe(1);
    await versions.tend(live);
    expect([told, webClient.requests]).toEqual([1, 1]);
  });

  test('which is stored: a worker that starts later has it at once, and asks nobody', async () => {
    await opened();
    const later = await open();
    expect(later.current()).toBe('2.3000.200');
    await later.tend(live);
    expect(webClient.requests).toBe(1);
  });

  test('which is the built-in one where the web client says an older one', async () => {
    webClient.say('2.3000.99');
    const versions = await opened();
    expect(versions.inUse).toMatchObject({ version: builtIn, source: 'built-in' });
    expect(webClient.requests).toBe(1);
    expect((await open({ builtIn: '2.3000.98' })).current()).toBe(builtIn);
  });

  test('a version that was withdrawn is not used any more, and who was refused with it connects at once', async () => {
    const versions = await opened();
    let told = 0;
    versions.onChange(() => void (told += 1));
    webClient.say('2.3000.150');
    await passTime('2 days');
    await versions.tend(live);
    expect([versions.current(), told]).toEqual(['2.3000.150', 1]);
    versions.refused('2.3000.200');
    expect([told, versions.inUse.refusedAt]).toEqual([2, null]);
    expect((await open()).current()).toBe('2.3000.150');
  });

  test('of a newer release, which older workers take over', async () => {
    const older = await opened();
    await open({ builtIn: '2.3000.300' });
    await older.tend(live);
    expect(older.inUse).toMatchObject({ version: '2.3000.300', source: 'built-in' });
  });
});

test('two workers that start at the same time ask once, and agree', async () => {
  const other = openDatabase({ url: at.url, poolSize: 5 });
  try {
    const both = await Promise.all([open(), open({ on: other })]);
    await Promise.all(both.map((versions) => versions.tend(live)));
    await Promise.all(both.map((versions) => versions.tend(live)));
    expect(both.map((versions) => versions.current())).toEqual(['2.3000.200', '2.3000.200']);
    expect(webClient.requests).toBe(1);
  } finally {
    await other.close();
  }
});

describe('where no lookup may be made or needs to be, devices are looked through once in some minutes', () => {
  let asked: string[];
  let nowMs: number;
  const counted = () => {
    const [pool, counting] = [database.pool, Object.create(database.pool)];
    counting.query = (query: string | { name?: string }, ...rest: unknown[]) => {
      if (typeof query === 'object' && query.name === 'claim-version-lookup') asked.push(query.name);
      return Reflect.apply(pool.query, pool, [query, ...rest]);
    };
    return open({ on: { ...database, pool: counting }, now: () => nowMs });
  };
  beforeEach(() => {
    [asked, nowMs] = [[], 0];
  });

  test('while devices have proxies', async () => {
    await giveProxy();
    const versions = await counted();
    for (const _ of [1, 2, 3]) {
      versions.refused(versions.current());
      await versions.tend(live);
    }
    expect(asked).toHaveLength(1);
    await database.pool.query('UPDATE devices SET proxy_sealed = NULL');
    nowMs += 300_000;
    await versions.tend(live);
    expect(versions.current()).toBe('2.3000.200');
  });

  test('while none is of WhatsApp, and again as soon as one connects or is linked', async () => {
    await database.pool.query(`UPDATE devices SET network = 'simulator'`);
    const versions = await counted();
    for (const _ of [1, 2, 3]) await versions.tend(live);
    expect(asked).toHaveLength(1);
    await database.pool.query(`UPDATE devices SET network = 'whatsapp'`);
    await versions.tend(live);
    expect(webClient.requests).toBe(0);
    versions.current();
    await versions.tend(live);
    expect([webClient.requests, versions.current()]).toEqual([1, '2.3000.200']);
  });
});

describe('a pinned version', () => {
  test('is exactly that one, whatever is newer, and nobody is asked', async () => {
    await opened();
    const pinned = await opened({ pinned: '2.3000.150' });
    pinned.refused('2.3000.150');
    await passTime('1 day');
    await pinned.tend(live);
    expect(pinned.inUse).toMatchObject({ version: '2.3000.150', source: 'setting' });
    expect(webClient.requests).toBe(1);
    expect(warnings()).toEqual([]);
  });

  test('that is older than the built-in one is used with a warning; other workers do not take it over', async () => {
    expect((await opened({ pinned: '2.3000.99' })).current()).toBe('2.3000.99');
    expect(warnings()).toEqual([expect.stringContaining('KURIR_WHATSAPP_VERSION is older')]);
    await opened({ pinned: '2.3000.900' });
    expect((await open()).current()).toBe(builtIn);
  });
});

describe('after a refusal', () => {
  test('the web client is asked at once, but once in a quarter of an hour', async () => {
    const versions = await opened();
    webClient.say('2.3000.201');
    versions.refused('2.3000.200');
    expect(versions.inUse.refusedAt).toBeInstanceOf(Date);
    await versions.tend(live);
    expect([versions.current(), webClient.requests]).toEqual(['2.3000.200', 1]);
    await passTime('16 minutes');
    await versions.tend(live);
    expect(versions.inUse).toMatchObject({ version: '2.3000.201', refusedAt: null });
    versions.refused('2.3000.201');
    await versions.tend(live);
    expect(webClient.requests).toBe(2);
  });

  test('of a version that is not in use any more, the device is told at once that there is a newer one', async () => {
    const versions = await opened();
    let told = 0;
    versions.onChange(() => void (told += 1));
    versions.refused(builtIn);
    expect([told, versions.inUse.refusedAt]).toEqual([1, null]);
    versions.refused('2.3000.200');
    versions.refused('nonsense');
    expect(told).toBe(1);
  });
});

describe('what is known stays, with a warning, when the web client', () => {
  const answers: readonly (readonly [string, RequestListener, string])[] = [
    ['answers rubbish', (_request, response) => void response.end('<html>'), 'says no version'],
    ['is not there', (_request, response) => void response.writeHead(404).end(), 'status 404'],
    ['points elsewhere', (_request, response) => void response.writeHead(302, { location: '/x' }).end(), 'status 302'],
    ['hangs up', (request) => void request.destroy(), 'socket hang up'],
    ['never ends', (_request, response) => void response.write('"client_revision":'), 'no answer in time'],
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
    webClient.answer(answer);
    const versions = await opened({ by: { timeoutMs: why === 'no answer in time' ? 200 : 5_000 } });
    expect(versions.current()).toBe(builtIn);
    expect(warnings()).toEqual([expect.stringContaining(why)]);
    webClient.say('2.3000.201');
    await versions.tend(live);
    expect(webClient.requests).toBe(1);
    await passTime('61 minutes');
    await versions.tend(live);
    expect(versions.current()).toBe('2.3000.201');
  });

  test('stands on an address inside this network', async () => {
    const versions = await opened({ by: { privateAddresses: 'refuse' } });
    expect(versions.current()).toBe(builtIn);
    expect(warnings()).toEqual([expect.stringContaining('not public')]);
    expect(webClient.connections).toBe(0);
  });
});

describe('the own address of the worker', () => {
  test('is not shown while a device has a proxy and nothing is set; the log says once what to set', async () => {
    await giveProxy();
    const versions = await opened();
    versions.refused(builtIn);
    await versions.tend(live);
    expect(versions.current()).toBe(builtIn);
    expect(webClient.connections).toBe(0);
    expect(warnings()).toEqual([expect.stringContaining('Set KURIR_WHATSAPP_VERSION_FETCH')]);
  });

  test('is shown all the same where that is set', async () => {
    await giveProxy();
    expect((await opened({ unlessProxied: false })).current()).toBe('2.3000.200');
  });

  test('is not shown to anybody where lookups are off', async () => {
    expect((await opened({ by: null })).current()).toBe(builtIn);
    expect(webClient.connections).toBe(0);
    expect(warnings()).toEqual([]);
  });

  test.each([
    ['http', startHttpProxy],
    ['socks5', startSocksProxy],
  ])('is not shown through an %s proxy, also when that fails; no log holds its password', async (_scheme, start) => {
    const proxy = await start();
    try {
      const versions = await opened({ by: { proxyUrl: proxy.wrongUrl }, unlessProxied: false });
      expect([versions.current(), webClient.connections]).toEqual([builtIn, 0]);
      expect(warnings()).toHaveLength(1);
      await passTime('61 minutes');
      const through = await opened({ by: { proxyUrl: proxy.url }, unlessProxied: false });
      expect(through.current()).toBe('2.3000.200');
      expect(proxy.targets).toEqual([webClient.port]);
      expect(webClient.connections).toBe(1);
      expect(lines.join()).not.toMatch(/canary|:wrong/);
    } finally {
      await proxy.close();
    }
  });
});

test('a worker that stops gives a lookup up, and does not complain', async () => {
  const over = new AbortController();
  webClient.answer(() => over.abort());
  const versions = await open();
  await versions.tend(over.signal);
  expect(versions.current()).toBe(builtIn);
  expect(warnings()).toEqual([]);
});

test('the health answer counts days from when this gateway first saw the version', async () => {
  await opened();
  await database.pool.query(`UPDATE whatsapp_versions SET first_seen_at = now() - interval '12 days 5 hours'`);
  const { firstSeenAt, version } = (await open()).inUse;
  expect(showVersionInUse((await open()).inUse)).toEqual({
    version,
    source: 'web-client',
    first_seen_at: firstSeenAt.toISOString(),
    days_since_first_seen: 12,
    refused_at: null,
  });
});

test('the version that is built in is one that may be stored', async () => {
  expect((await open({ builtIn: builtInVersion })).current()).toBe(builtInVersion);
});
