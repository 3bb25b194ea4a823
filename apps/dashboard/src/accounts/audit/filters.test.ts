import { expect, test } from 'vitest';
import { filtersOf, isFiltered } from './filters.js';

const now = Date.parse('2026-11-21T09:00:30.000Z');

test('the address becomes the filter of the gateway', () => {
  const search = { group: 'keys', actor: 'usr_1', subject: ' dev_1 ', since: 'hour' };
  expect(filtersOf(search, now)).toEqual({
    group: 'keys',
    actor: 'usr_1',
    subject: 'dev_1',
    since: '2026-11-21T08:00:00.000Z',
  });
});

test('own dates are whole days of the browser', () => {
  const { since, until } = filtersOf({ since: 'range', from: '2026-11-20', to: '2026-11-20' }, now);
  expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_400_000);
});

test.each([{}, { group: 'nonsense' }, { subject: '  ' }, { since: 'range', from: 'Friday' }])(
  '%o does not narrow',
  (search) => expect(filtersOf(search, now)).toEqual({}),
);

test('an address without filters is not filtered', () => {
  expect([isFiltered({}), isFiltered({ actor: undefined }), isFiltered({ actor: 'usr_1' })]).toEqual([
    false,
    false,
    true,
  ]);
});
