import { expect, test } from 'vitest';
import { slope } from './slope.js';

const line = (points: readonly (readonly [number, number])[]) => slope(points.map(([x, y]) => ({ x, y })));

test('points on a line have its slope, wherever it begins', () => {
  expect(
    line([
      [0, 100],
      [50, 150],
      [200, 300],
    ]),
  ).toBeCloseTo(1);
});

test('one point beside the line bends it by least squares', () => {
  // Means 2 and 3; (−1)(−1) + 0·(−1) + 1·2 = 3 over (−1)² + 0² + 1² = 2.
  expect(
    line([
      [1, 2],
      [2, 2],
      [3, 5],
    ]),
  ).toBeCloseTo(1.5);
});

test('what stands in one place has no slope', () => {
  expect(() =>
    line([
      [1, 2],
      [1, 3],
    ]),
  ).toThrow('two different places');
});
