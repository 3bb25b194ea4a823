import { expect, test } from 'vitest';
import { digitsOf } from './number-cells.js';

test.each([
  ['0812-3456 7890', '6281234567890'],
  ['+62 (0)812 3456 7890', '6281234567890'],
  ['6281234567890', '6281234567890'],
  ['81234567890', '6281234567890'],
  ['+81 90 1234 5678', '819012345678'],
  ["'081234567890", '6281234567890'],
  ['Budi', null],
  ['12', null],
  ['6.28123E+12', null],
])('%j is read as %j', (cell, digits) => {
  expect(digitsOf(cell)).toBe(digits);
});
