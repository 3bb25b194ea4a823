import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareReading } from './share-reading.js';

const goodMs = 50;

test('callers of the same time share a reading, also a slow one, and later ones get a new one', async () => {
  let readings = 0;
  const read = shareReading(async () => {
    readings += 1;
    const mine = readings;
    await sleep(2 * goodMs);
    return mine;
  }, goodMs);
  const early = [read(), read()];
  await sleep(goodMs + 10);
  expect(await Promise.all([...early, read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(1);
  await sleep(goodMs + 10);
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
});
