import { parseTemplate } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { isAlikeForMost } from './samples.js';

test.each([
  ['Promo hari ini!', true],
  ['{{pick:Halo|Hai|Selamat siang}} promo!', false],
  ['Halo {{nama|Kak}}', false],
  ['{{pick:Halo|Halo|Hai}}', true],
])('%j is alike for most people: %s', (text, alike) => {
  const parsing = parseTemplate(text);
  expect(parsing.ok && isAlikeForMost(parsing.template)).toBe(alike);
});
