import { expect, test } from 'vitest';
import { spread } from './file-order.mjs';

const order = (files) =>
  spread(files, { isAttack: (file) => file === 'attack', isE2e: (file) => /^(e|attack)/.test(file), between: 2 });

test('the attack comes first, and files of e2e stand apart', () => {
  expect(order(['e1', 'attack', 'e2', 'a', 'b', 'c', 'd', 'f'])).toEqual([
    'attack',
    'e1',
    'a',
    'b',
    'e2',
    'c',
    'd',
    'f',
  ]);
});

test('no file is lost when there are few others', () => {
  expect(order(['e1', 'e2', 'a', 'e3'])).toEqual(['e1', 'a', 'e2', 'e3']);
  expect(order([])).toEqual([]);
});
