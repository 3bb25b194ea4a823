import { describe, expect, test } from 'vitest';
import {
  formatCount,
  formatPreciseClock,
  formatRelative,
  formatRupiah,
  formatShare,
  formatSpan,
  shortenId,
} from './format.js';

test('numbers and money follow the language', () => {
  expect(formatCount(1_234_567, 'en')).toBe('1,234,567');
  expect(formatCount(1_234_567, 'id')).toBe('1.234.567');
  expect(formatRupiah(150_000, 'id')).toBe('Rp150.000');
  expect(formatRupiah(150_000, 'en')).toBe('Rp\u00a0150,000');
  expect(formatRupiah(-150_000, 'id')).toBe('-Rp150.000');
});

test.each([
  [0, 0, '0%'],
  [1, 3, '33.3%'],
  [9_999, 10_000, '99.9%'],
  [5, 5, '100%'],
])('%i of %i are %s', (part, whole, text) => expect(formatShare(part, whole, 'en')).toBe(text));

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [2_449, '2.4 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [3_600_000 * 99, '4 d 3 h'],
])('%i ms is %s', (ms, text) => expect(formatSpan(ms)).toBe(text));

describe('relative times', () => {
  const now = Date.parse('2026-11-21T09:00:00.000Z');
  test.each([
    ['2026-11-21T08:59:55.000Z', 'now'],
    ['2026-11-21T08:59:30.000Z', '30 sec ago'],
    ['2026-11-21T08:01:00.000Z', '59 min ago'],
    ['2026-11-20T08:00:00.000Z', 'yesterday'],
    ['2026-11-24T10:00:00.000Z', 'in 3 days'],
  ])('%s is %s', (iso, text) => expect(formatRelative(iso, now, 'en')).toBe(text));

  test('are in Indonesian if that is the language', () => {
    expect(formatRelative('2026-11-21T08:01:00.000Z', now, 'id')).toBe('59 mnt lalu');
    expect(formatRelative('2026-11-28T09:00:00.000Z', now, 'id')).toBe('dalam 7 hari');
  });
});

test('a precise clock shows milliseconds', () => {
  expect(formatPreciseClock('2026-11-21T09:00:00.007Z')).toMatch(/^\d\d:00:00\.007$/);
});

test('a shortened id keeps its prefix and its end', () => {
  expect(shortenId('msg_01kajp4m3s5y8zt0v6qk2c9hbe')).toBe('msg_01ka…2c9hbe');
  expect(shortenId('kk_test_1')).toBe('kk_test_1');
});
