import { expect, test } from 'vitest';
import { judgeFailing, parseRetryAfter, waitAfterTry, waitBeforeProbe } from './schedule.js';

test('ten tries span about two days, each wait spread by a fifth', () => {
  const waits = Array.from({ length: 10 }, (_, i) => waitAfterTry(i + 1, null, 0.5));
  expect(waits).toEqual([5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, null].map((s) => s && s * 1_000));
  expect(waitAfterTry(1, null, 0)).toBe(4_000);
  expect(waitAfterTry(1, null, 1)).toBe(6_000);
});

test('Retry-After makes a wait longer, never shorter, and at most a day', () => {
  expect(waitAfterTry(1, 60_000, 0.5)).toBe(60_000);
  expect(waitAfterTry(3, 60_000, 0.5)).toBe(300_000);
  expect(waitAfterTry(1, 1e12, 0.5)).toBe(86_400_000);
  expect(waitAfterTry(10, 60_000, 0.5)).toBeNull();
});

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-25T10:00:00Z');
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter('Wed, 25 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('Wed, 25 Nov 2026 09:00:00 GMT', now)).toBe(0);
  for (const text of [null, '', 'soon', '-5', '1e9999999999']) expect(parseRetryAfter(text, now) ?? 0).toBeLessThan(1);
});

test('probes come after 30 seconds, and at last each quarter of an hour, each wait spread by a fifth', () => {
  const seconds = (probes: number, random: number) => waitBeforeProbe(probes, 30_000, random) / 1_000;
  expect([1, 2, 3, 5, 6, 100].map((probes) => seconds(probes, 0.5))).toEqual([30, 60, 120, 480, 900, 900]);
  expect([seconds(2, 0), seconds(2, 1)]).toEqual([48, 72]);
});

test('an address that is gone is disabled at once, one that only fails after three days', () => {
  const hour = 3_600_000;
  expect(judgeFailing(0, 410)).toEqual({ disabled: 'gone', toldHours: 0 });
  expect(judgeFailing(hour - 1, 500)).toEqual({ disabled: null, toldHours: 0 });
  expect(judgeFailing(hour, null)).toEqual({ disabled: null, toldHours: 1 });
  expect(judgeFailing(71 * hour, null)).toEqual({ disabled: null, toldHours: 24 });
  expect(judgeFailing(72 * hour, 500)).toMatchObject({ disabled: 'failing' });
});
