import { expect, test } from 'vitest';
import { attributeOf, cleaned, isFiltered, queryOf } from './filter.js';

test.each([
  ['kota:Bandung', 'kota:Bandung'],
  [' kota : Bandung Barat ', 'kota:Bandung Barat'],
  ['jam:08:00', 'jam:08:00'],
  ['kota', null],
  ['kota:', null],
  [':Bandung', null],
  ['', null],
])('%j is the attribute %j', (text, attribute) => {
  expect(attributeOf(text)).toBe(attribute);
});

test('the address becomes a query, and what filters nothing is left out', () => {
  expect(queryOf({ q: ' budi ', list: 'promo', attribute: 'kota:Solo', consent: 'no' })).toEqual({
    q: 'budi',
    list: 'promo',
    attribute: 'kota:Solo',
    has_consent: 'false',
  });
  expect(queryOf({ q: ' ', list: '', attribute: 'kota', consent: 'maybe' })).toEqual({});
  expect(isFiltered({ consent: 'yes' })).toBe(true);
  expect(isFiltered({ attribute: 'kota' })).toBe(false);
});

test('empty fields do not stand in the address', () => {
  expect(cleaned({ q: '', list: 'promo', attribute: undefined })).toEqual({ list: 'promo' });
});
