import { expect, test } from 'vitest';
import { filtersOf, isFiltered, searchText } from './filters.js';

const now = Date.parse('2026-11-21T09:00:30.500Z');

test('the search part of the address becomes filters, and unknown values are left out', () => {
  expect(filtersOf({ q: ' 0812 3456 ', status: 'failed', device: 'dev_1', since: 'hour' }, now)).toEqual({
    q: '628123456',
    status: 'failed',
    device_id: 'dev_1',
    since: '2026-11-21T08:00:00.000Z',
  });
  expect(filtersOf({ status: 'lost', since: 'yesterday', q: '' }, now)).toEqual({});
});

test.each([
  ['+62 812-345', '62812345'],
  ['0812345', '62812345'],
  ['ord-7781', 'ord-7781'],
  ['msg_01kajp4m3s5y8zt0v6qk2c9hbe', 'msg_01kajp4m3s5y8zt0v6qk2c9hbe'],
  ['77', '77'],
])('the search for %j looks for %j', (typed, meant) => expect(searchText(typed)).toBe(meant));

test('an open message is not a filter', () => {
  expect(isFiltered({ job: 'msg_1' })).toBe(false);
  expect(isFiltered({ status: 'failed' })).toBe(true);
});
