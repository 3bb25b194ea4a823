import { expect, test } from 'vitest';
import { filtersOf, isFiltered, narrowingOf } from './filters.js';

const now = Date.parse('2026-11-21T09:00:30.500Z');

test('the search part of the address becomes filters, and unknown values are left out', () => {
  expect(
    filtersOf(
      { q: ' 0812 3456 ', status: 'failed', device: 'dev_1', since: 'hour', reason: 'no_answer', key: 'kk_1' },
      now,
    ),
  ).toEqual({
    q: '0812 3456',
    status: 'failed',
    device_id: 'dev_1',
    since: '2026-11-21T08:00:00.000Z',
    reason: 'no_answer',
    api_key: 'kk_1',
  });
  expect(filtersOf({ status: 'lost', since: 'yesterday', q: ' ', reason: 'toString', priority: 'first' }, now)).toEqual(
    {},
  );
});

test('own dates include both days, as the person counts days', () => {
  expect(filtersOf({ since: 'range', from: '2026-11-01', to: '2026-11-30' }, now)).toEqual({
    since: new Date(2026, 10, 1).toISOString(),
    until: new Date(2026, 11, 1).toISOString(),
  });
  expect(filtersOf({ from: '1.11.2026', to: '' }, now)).toEqual({});
});

test('an open message is not a filter, and nobody saves it', () => {
  expect(isFiltered({ job: 'msg_1' })).toBe(false);
  expect(isFiltered({ status: 'failed' })).toBe(true);
  expect(narrowingOf({ job: 'msg_1', status: 'failed', q: '' })).toEqual({ status: 'failed' });
});
