import { expect, test } from 'vitest';
import { slope } from './slope.js';

const line = (points: readonly (readonly [number, number])[]) => slope(points.map(([x, y]) => ({ x, y })));

test('points on a line have the slope of the line, wherever it begins', () => {
  expect(
    line([
      [0, 100],
      [50, 150],
      [200, 300],
    ]),
  ).toBeCloseTo(1);
});

test('the slope of points that are not on a line is that of least squares', () => {
  // The means are 2 and 3: (−1)(−1) + 0·(−1) + 1·2 = 3, divided by (−1)² + 0² + 1² = 2.
  expect(
    line([
      [1, 2],
      [2, 2],
      [3, 5],
    ]),
  ).toBeCloseTo(1.5);
});

test('points in one place have no slope', () => {
  expect(() =>
    line([
      [1, 2],
      [1, 3],
    ]),
  ).toThrow('two different places');
});
