import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.js';

test('the entry that was not used for the longest time goes first', () => {
  const cache = new BoundedCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('an entry is gone after its time', async () => {
  const cache = new BoundedCache<number>(2, 5);
  cache.set('a', 1);
  expect(cache.has('a')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(cache.has('a')).toBe(false);
});

test('it has no mget and mset, with which Baileys would lose every entry', () => {
  expect(['mget', 'mset'].some((method) => method in new BoundedCache(1))).toBe(false);
});
