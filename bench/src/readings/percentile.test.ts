import { expect, test } from 'vitest';
import { median, percentile } from './percentile.js';

test('a percentile is one of the values, in whatever order they come', () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);
  expect([0, 50, 99, 100].map((percent) => percentile(values, percent))).toEqual([1, 100, 198, 200]);
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

test('no values have no percentile', () => {
  expect(percentile([], 99)).toBeNaN();
});
