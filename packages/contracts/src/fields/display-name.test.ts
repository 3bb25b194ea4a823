import { expect, test } from 'vitest';
import { isDisplayName } from './display-name.js';

test.each(['Toko Budi', 'PT. Maju Jaya (Bandung)', "D'Orange", '东京', 'Siti 🌸', 'Kopi & Teh: 24/7'])(
  '%j is a name',
  (name) => expect(isDisplayName(name)).toBe(true),
);

test.each([
  'Evil\r\nBcc: x',
  'a\tb',
  'line\u2028end',
  'turned \u202e text',
  'see http://evil.example/',
  'WWW.evil.example',
  'me@evil.example',
  'nul \u0000',
  '\ud800',
])('%j is no name', (name) => expect(isDisplayName(name)).toBe(false));
