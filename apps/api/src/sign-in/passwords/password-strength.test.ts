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

test('only the first characters are estimated, because the time grows faster than the length', () => {
  const tail = 'kuda poni di atas awan ungu 7!';
  expect(isEasyToGuess(tail, known)).toBe(false);
  expect(isEasyToGuess('a'.repeat(24) + tail, known)).toBe(true);
});
