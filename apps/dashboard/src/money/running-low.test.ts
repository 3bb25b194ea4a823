import { expect, test } from 'vitest';
import { lowOf, type Subscription } from './running-low.js';

const month = {
  plan: 'Usaha',
  start_date: '2026-11-01T00:00:00.000Z',
  expiry_date: '2026-12-01T00:00:00.000Z',
  days_left: 20,
  initial_quota: 100,
  remaining_quota: 100,
} satisfies Subscription;
const trial = { ...month, expiry_date: '2026-11-08T00:00:00.000Z' };

test.each<[ReturnType<typeof lowOf>, Subscription]>([
  ['ended', null],
  ['ended', { ...month, days_left: 0 }],
  ['noQuota', { ...month, remaining_quota: 0 }],
  ['littleQuota', { ...month, remaining_quota: 20 }],
  [null, { ...month, remaining_quota: 21 }],
  [null, { ...month, initial_quota: null, remaining_quota: null }],
  ['fewDays', { ...month, days_left: 7 }],
  [null, { ...month, days_left: 8 }],
  [null, { ...trial, days_left: 7 }],
  ['fewDays', { ...trial, days_left: 1 }],
])('%s: %j', (low, subscription) => expect(lowOf(subscription)).toBe(low));
