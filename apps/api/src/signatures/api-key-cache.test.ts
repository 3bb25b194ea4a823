import type { LiveApiKey } from '@kurir/database';
import { expect, test, vi } from 'vitest';
import { createApiKeyCache } from './api-key-cache.js';

const key: LiveApiKey = {
  id: 'kk_test_a',
  accountId: 'acc_a',
  suspended: false,
  country: 'ID',
  scopes: [],
  allowedIps: [],
  secrets: [],
};

function cacheOf(live: Map<string, LiveApiKey>) {
  let now = 1_000;
  const queries: string[] = [];
  const cache = createApiKeyCache(
    (keyId) => {
      queries.push(keyId);
      return Promise.resolve(live.get(keyId) ?? null);
    },
    () => now,
  );
  return {
    cache,
    queries,
    wait(ms: number) {
      now += ms;
    },
  };
}

test('a revoked key leaves the cache within the time limit', async () => {
  const live = new Map([[key.id, key]]);
  const { cache, wait, queries } = cacheOf(live);
  expect(await cache.read(key.id)).toBe(key);
  live.delete(key.id);
  wait(3_900);
  expect(await cache.read(key.id)).toBe(key);
  wait(200);
  expect(await cache.read(key.id)).toBeNull();
  expect(queries).toHaveLength(2);
});

test('an unknown key causes one query a second, and is found soon after its creation', async () => {
  const live = new Map<string, LiveApiKey>();
  const { cache, wait, queries } = cacheOf(live);
  for (let i = 0; i < 100; i++) expect(await cache.read(key.id)).toBeNull();
  expect(queries).toHaveLength(1);
  live.set(key.id, key);
  wait(1_001);
  expect(await cache.read(key.id)).toBe(key);
});

test('parallel calls run one query', async () => {
  const { cache, queries } = cacheOf(new Map([[key.id, key]]));
  const answers = await Promise.all(Array.from({ length: 100 }, () => cache.read(key.id)));
  expect(new Set(answers)).toEqual(new Set([key]));
  expect(queries).toHaveLength(1);
});

test('a text that cannot be a key causes no query', async () => {
  const { cache, queries } = cacheOf(new Map());
  for (const text of [
    '',
    'x',
    'kk_test_',
    'kk_prod_abc',
    `kk_test_${'a'.repeat(65)}`,
    'kk_test_a\u0000',
    'kk_test_ä',
    "kk_test_' OR 1=1",
  ])
    expect(await cache.read(text)).toBeNull();
  expect(queries).toEqual([]);
});

test('a failure is not kept', async () => {
  let fail = true;
  const cache = createApiKeyCache(() => (fail ? Promise.reject(new Error('no database')) : Promise.resolve(key)));
  await expect(cache.read(key.id)).rejects.toThrow('no database');
  fail = false;
  expect(await cache.read(key.id)).toBe(key);
});

test('a flood of unknown keys does not displace a known key', async () => {
  const { cache, queries } = cacheOf(new Map([[key.id, key]]));
  await cache.read(key.id);
  for (let i = 0; i < 20_000; i++) await cache.read(`kk_test_${i}`);
  queries.length = 0;
  expect(await cache.read(key.id)).toBe(key);
  expect(queries).toEqual([]);
});

const rotated: LiveApiKey = { ...key, secrets: [{ version: 2, secret: 'ks_test_new' }] };

test('readAnew starts its query after the call, and one query serves all parallel calls', async () => {
  const live = [key, rotated];
  const answers: (() => void)[] = [];
  const cache = createApiKeyCache(
    () =>
      new Promise((resolve) => {
        const found = live.shift() ?? null;
        answers.push(() => resolve(found));
      }),
  );
  const before = cache.read(key.id);
  const reads = Array.from({ length: 100 }, () => cache.readAnew(key.id));
  answers[0]?.();
  expect(await before).toBe(key);
  await vi.waitUntil(() => answers.length > 1);
  answers[1]?.();
  expect(new Set(await Promise.all(reads))).toEqual(new Set([rotated]));
  expect(answers).toHaveLength(2);
  expect(await cache.read(key.id)).toBe(rotated);
});

test('a key that readAnew finds revoked leaves the cache', async () => {
  const live = new Map([[key.id, key]]);
  const { cache } = cacheOf(live);
  await cache.read(key.id);
  live.delete(key.id);
  expect(await cache.readAnew(key.id)).toBeNull();
  expect(await cache.read(key.id)).toBeNull();
});

test('a flood of wrong signatures for one key costs a few queries a second, and another key does not wait', async () => {
  const queries: string[] = [];
  const cache = createApiKeyCache((keyId) => {
    queries.push(keyId);
    return Promise.resolve(key);
  });
  const since = performance.now();
  for (let i = 0; i < 4; i++) await Promise.all(Array.from({ length: 100 }, () => cache.readAnew(key.id)));
  const seconds = (performance.now() - since) / 1_000;
  expect(queries.length).toBeLessThanOrEqual(4);
  expect(queries.length / seconds).toBeLessThan(6);
  await cache.readAnew('kk_test_b');
  expect(queries.filter((keyId) => keyId === 'kk_test_b')).toHaveLength(1);
});

test('a call during the wait of another gets a query that starts after both', async () => {
  let found = key;
  const cache = createApiKeyCache(() => Promise.resolve(found));
  await cache.readAnew(key.id);
  const first = cache.readAnew(key.id);
  found = rotated;
  expect(await Promise.all([first, cache.readAnew(key.id)])).toEqual([rotated, rotated]);
});

test('a query that fails does not block the next', async () => {
  let fail = true;
  const cache = createApiKeyCache(() => (fail ? Promise.reject(new Error('no database')) : Promise.resolve(key)));
  await expect(cache.readAnew(key.id)).rejects.toThrow('no database');
  fail = false;
  expect(await cache.readAnew(key.id)).toBe(key);
});
