import { expect, test } from 'vitest';
import { parseSearch, searchOf, stringifySearch } from './search.js';

test('the search part of an address keeps the named texts and flags only', () => {
  const read = searchOf(['q', 'job'], ['add']);
  expect(read({ q: 'a', job: '628123', add: true, other: 'x' })).toEqual({ q: 'a', job: '628123', add: true });
  expect(read({ q: { a: 1 }, job: null, add: 'yes' })).toEqual({});
});

test.each([
  ['?number=6281234567890', { number: '6281234567890' }],
  ['?q=1e5', { q: '1e5' }],
  ['?q=0812+3456', { q: '0812 3456' }],
  ['?q=%22a%22', { q: '"a"' }],
  ['?q=null&add=true', { q: 'null', add: true }],
  ['?q=a%26b%3D%231', { q: 'a&b=#1' }],
])('%s is read and written as it is', (text, search) => {
  expect(parseSearch(text)).toEqual(search);
  expect(stringifySearch(search)).toBe(text);
});

test('an address of an earlier version, with quotes around digits, still works', () => {
  expect(parseSearch('?number=%226281234567890%22')).toEqual({ number: '6281234567890' });
});

test('a search for the word of a flag is a text', () => {
  expect(searchOf(['q'], ['add'])(parseSearch('?q=true&add=true'))).toEqual({ q: 'true', add: true });
});

test('nothing that is undefined stands in an address', () => {
  expect(stringifySearch({ q: undefined, add: undefined })).toBe('');
});
