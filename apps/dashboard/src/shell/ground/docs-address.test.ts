import { expect, test } from 'vitest';
import { docsAddress } from './docs-address.js';

test('the documentation opens in the language of the dashboard, whatever the browser prefers', () => {
  expect(docsAddress('en')).toBe('/docs/?lang=en');
  expect(docsAddress('id', 'kode otp')).toBe('/docs/id/?lang=id&search=kode+otp');
});
