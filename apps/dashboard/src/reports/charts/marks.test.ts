import { expect, test } from 'vitest';
import { marksOf, namesDay } from './marks.js';

const none = { accepted: 0, delivered: 0, failed: 0, otp: { count: 0, p50_ms: null, p99_ms: null } };

function hours(count: number, firstHour: number) {
  const parts = Array.from({ length: count }, (_, i) => ({
    ...none,
    start: new Date(2026, 10, 20, firstHour + i).toISOString(),
  }));
  return { unit: 'hour' as const, parts };
}

function days(count: number) {
  const parts = Array.from({ length: count }, (_, i) => ({ ...none, start: new Date(2026, 10, 1 + i).toISOString() }));
  return { unit: 'day' as const, parts };
}

test('a day of hours has a mark each four hours, at round ones', () => {
  const report = hours(24, 13);
  const marked = marksOf(report).map((i) => new Date(report.parts[i]?.start ?? '').getHours());
  expect(marked).toEqual([16, 20, 0, 4, 8, 12]);
  expect(marksOf(report).some((i) => namesDay(report, i))).toBe(false);
});

test('three days of hours have a mark at noon and at midnight, which names the day', () => {
  const report = hours(72, 13);
  const marked = marksOf(report);
  expect(marked).toHaveLength(6);
  expect(marked.map((i) => namesDay(report, i))).toEqual([true, false, true, false, true, false]);
});

test('each day of a week has a mark; of a month, each fifth one up to today', () => {
  expect(marksOf(days(7))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(marksOf(days(30))).toEqual([4, 9, 14, 19, 24, 29]);
  expect(namesDay(days(30), 4)).toBe(true);
});
