import type { EventPosition } from '@kurir/database';
import { expect, test } from 'vitest';
import { createLowWater } from './low-water.js';

const at = (seq: number): EventPosition => ({ generation: 1n, xid: 1n, seq: BigInt(seq) });

test('the place moves when all events before it are done, in any order', () => {
  const water = createLowWater(at(0));
  const ends = [1, 2, 3].map((seq) => water.add(at(seq)));
  water.reach(at(9));
  ends[1]?.();
  ends[2]?.();
  expect(water.low).toEqual(at(0));
  ends[0]?.();
  expect(water.low).toEqual(at(9));
});

test('with nothing to send, the place is where the log was read to', () => {
  const water = createLowWater(at(0));
  water.reach(at(5));
  expect(water.low).toEqual(at(5));
});

test('a million pages behind one event that is not done are passed in one step, and need no memory', () => {
  const water = createLowWater(at(0));
  const end = water.add(at(1));
  const before = process.memoryUsage().heapUsed;
  for (let seq = 2; seq < 1_000_000; seq++) water.reach(at(seq));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  expect(water.low).toEqual(at(0));
  end();
  expect(water.low).toEqual(at(999_999));
});
