import { expect, test } from 'vitest';
import { filtersOf, isFiltered } from './filters.js';

test('the address becomes the filter of the gateway', () => {
  const search = {
    key: 'kk_live_1',
    outcome: '4xx',
    operation: 'sendMessage',
    code: 'RATE_LIMITED',
    request: ' req_1 ',
  };
  expect(filtersOf(search)).toEqual({
    api_key: 'kk_live_1',
    outcome: '4xx',
    operation: 'sendMessage',
    code: 'RATE_LIMITED',
    request_id: 'req_1',
  });
});

test.each([{}, { outcome: '3xx' }, { code: 'NONSENSE' }, { operation: 'a b' }, { request: ' ' }])(
  '%o does not narrow',
  (search) => expect(filtersOf(search)).toEqual({}),
);

test('an address without filters is not filtered', () => {
  expect([isFiltered({}), isFiltered({ key: 'kk_live_1' })]).toEqual([false, true]);
});
