import { expect, test } from 'vitest';
import { acceptedLanguage } from './accepted-language.js';

test.each([
  ['id-ID,id;q=0.9,en;q=0.8', 'id'],
  ['de-DE, en-GB;q=0.7', 'en'],
  ['id;q=0.2, en;q=0.9', 'en'],
  ['en;q=0, id', 'id'],
  ['ID', 'id'],
  ['*', null],
  ['', null],
  [undefined, null],
  ['fr;q=rubbish,,;', null],
  [`${'x,'.repeat(10_000)}id`, null],
])('%j is %j', (header, language) => expect(acceptedLanguage(header)).toBe(language));
