import { expect, test } from 'vitest';
import { preferredLanguage } from './language.js';

test('the chosen language comes first, then the first known language of the browser, then English', () => {
  expect(preferredLanguage('id', ['en-GB'])).toBe('id');
  expect(preferredLanguage(null, ['de-DE', 'id-ID', 'en'])).toBe('id');
  expect(preferredLanguage('fr', ['de-DE'])).toBe('en');
  expect(preferredLanguage(null, [])).toBe('en');
});
