import { expect, test } from 'vitest';
import { searchOf } from './search.js';

test('the search part of an address keeps the named texts and flags only', () => {
  const read = searchOf(['q', 'job'], ['add']);
  expect(read({ q: 'a', job: 628123, add: true, other: 'x' })).toEqual({ q: 'a', job: '628123', add: true });
  expect(read({ q: { a: 1 }, job: null, add: 'true' })).toEqual({});
});
