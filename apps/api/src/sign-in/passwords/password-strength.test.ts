import { expect, test } from 'vitest';
import { isEasyToGuess } from './password-strength.js';

const known = ['budi@toko.example', 'Budi Santoso', '01m89vqpdpbdapq5barebbbwrw@example.com'];

test.each([
  '1234567890',
  'aaaaaaaaaa',
  'password12',
  'Password123!',
  'P4ssw0rd!!',
  'qwertyuiop',
  'abcabcabcabc',
  'rahasia123',
  'indonesia1945',
  'budi@toko.example',
  'budisantoso',
  '01m89vqpdpbdapq5barebbbwrw@example.com',
  'santoso2024',
  'x'.repeat(128),
])('%s is refused', (password) => expect(isEasyToGuess(password, known)).toBe(true));

test.each(['correct horse battery', 'kuda poni di atas awan', 'Gk4!xP09qz', 'sama sekali bukan yang lama'])(
  '%s is taken',
  (password) => expect(isEasyToGuess(password, known)).toBe(false),
);

test('a long password costs little more time than a short one', () => {
  const bestOf = (password: string) => {
    const times = Array.from({ length: 8 }, () => {
      const begun = performance.now();
      isEasyToGuess(password, known);
      return performance.now() - begun;
    });
    return Math.min(...times);
  };
  const short = bestOf('abcdefghij1234567890abcd');
  expect(bestOf('abcdefghij1234567890'.repeat(6) + 'x'.repeat(8))).toBeLessThan(short * 3 + 5);
});
