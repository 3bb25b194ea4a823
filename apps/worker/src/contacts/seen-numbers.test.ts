import { expect, test } from 'vitest';
import { createSeenNumbers } from './seen-numbers.js';

test('a number is new once, among a hundred thousand others', () => {
  const seen = createSeenNumbers();
  const numbers = Array.from({ length: 100_000 }, (_none, i) => `62812${String(i * 7_919).padStart(9, '0')}`);
  expect(numbers.every((number, i) => seen.add(number, i + 2) === null)).toBe(true);
  expect(numbers.every((number, i) => seen.add(number, 7) === i + 2)).toBe(true);
});

test('numbers of fifteen digits that differ in the last one are different', () => {
  const seen = createSeenNumbers();
  for (let last = 0; last < 10; last++) expect(seen.add(`99999999999999${last}`, last + 2)).toBe(null);
  expect(seen.add('999999999999999', 99)).toBe(11);
});
