import { expect, test } from 'vitest';
import { searchOf } from './search.js';

test('an address keeps its texts and flags, and nothing else', () => {
  const read = searchOf(['q', 'job'], ['add']);
  expect(read({ q: 'a', job: 628123, add: true, other: 'x' })).toEqual({ q: 'a', job: '628123', add: true });
  expect(read({ q: { a: 1 }, job: null, add: 'true' })).toEqual({});
});
