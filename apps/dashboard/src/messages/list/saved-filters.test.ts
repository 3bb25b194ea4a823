import { expect, test } from 'vitest';
import { findSaved, parseSaved, withSaved } from './saved-filters.js';

test('a saved filter is found again by what it narrows, whatever the order of its parts', () => {
  const saved = withSaved([], 'Failed today', { status: 'failed', since: 'day', job: 'msg_1' });
  expect(parseSaved(JSON.stringify(saved))).toEqual([
    { name: 'Failed today', search: { status: 'failed', since: 'day' } },
  ]);
  expect(findSaved(saved, { since: 'day', status: 'failed', job: 'msg_2' })?.name).toBe('Failed today');
  expect(findSaved(saved, { since: 'day' })).toBeUndefined();
});

test('a second filter of the same name replaces the first', () => {
  const saved = withSaved(withSaved([], 'Mine', { q: 'a' }), 'Mine', { q: 'b' });
  expect(saved).toEqual([{ name: 'Mine', search: { q: 'b' } }]);
});

test.each([null, '', '{', '7', '[1, {"name": 1}, {"name": "x", "search": []}]'])(
  'the stored text %j holds no filter',
  (text) => expect(parseSaved(text)).toEqual([]),
);

test('an unknown part of a stored filter is left out', () => {
  expect(parseSaved('[{"name": "x", "search": {"status": "failed", "job": "msg_1", "q": 7}}]')).toEqual([
    { name: 'x', search: { status: 'failed' } },
  ]);
});
