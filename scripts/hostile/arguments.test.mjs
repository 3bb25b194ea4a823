import { expect, test } from 'vitest';
import { parseArguments } from './arguments.mjs';

test('without flags it runs a minute with the first seed', () => {
  expect(parseArguments([])).toEqual({ minutes: 1, seed: '1', json: false, help: false });
});

test('flags choose the time, the seed and the output', () => {
  const args = ['--minutes', '0.5', '--seed', 'monday-2', '--json'];
  expect(parseArguments(args)).toEqual({ minutes: 0.5, seed: 'monday-2', json: true, help: false });
});

test.each([
  [['--minutes', 'soon']],
  [['--minutes', '']],
  [['--minutes', '-1']],
  [['--minutes', '100000']],
  [['--seed', 'a b']],
  [['--seed', '']],
  [['--hours', '1']],
  [['more']],
])('%j is refused', (args) => {
  expect(() => parseArguments(args)).toThrow(/./);
});
