import { expect, test } from 'vitest';
import { createSeenNumbers } from './seen-numbers.js';

test('a number is new once, among a hundred thousand others', () => {
  const seen = createSeenNumbers();
  const numbers = Array.from({ length: 100_000 }, (_none, i) => `62812${String(i * 7_919).padStart(9, '0')}`);
  expect(numbers.every((number) => seen.add(number))).toBe(true);
  expect(numbers.some((number) => seen.add(number))).toBe(false);
});

test('numbers of fifteen digits that differ in the last one are different', () => {
  const seen = createSeenNumbers();
  for (let last = 0; last < 10; last++) expect(seen.add(`99999999999999${last}`)).toBe(true);
  expect(seen.add('999999999999999')).toBe(false);
});
