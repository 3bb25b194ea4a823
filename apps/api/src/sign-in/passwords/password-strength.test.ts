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
  const timeOf = (password: string) => {
    const begun = performance.now();
    isEasyToGuess(password, known);
    return performance.now() - begun;
  };
  // In turn, so that a busy machine slows both.
  const pairs = Array.from({ length: 20 }, () => ({
    short: timeOf('abcdefghij1234567890abcd'),
    long: timeOf('abcdefghij1234567890'.repeat(6) + 'x'.repeat(8)),
  }));
  const [short, long] = [Math.min(...pairs.map((pair) => pair.short)), Math.min(...pairs.map((pair) => pair.long))];
  expect(long).toBeLessThan(short * 3 + 5);
});
