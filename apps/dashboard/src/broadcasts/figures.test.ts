import { expect, test } from 'vitest';
import { figuresOf } from './figures.js';

test('each recipient is in one sum', () => {
  const figures = figuresOf({
    pending: 10,
    skipped: [
      { reason: 'suppressed', count: 4 },
      { reason: 'duplicate', count: 1 },
    ],
    messages: {
      queued: 3,
      sending: 2,
      sent: 5,
      delivered: 7,
      read: 1,
      failed: 2,
      expired: 1,
      cancelled: 1,
      unknown: 2,
    },
    failed: [{ reason: 'rejected_by_network', count: 2 }],
  });
  expect(figures).toEqual({ planned: 34, sent: 13, failed: 3, unknown: 2, cancelled: 1, left: 15, skipped: 5 });
});

test('recipients whom a cancelled broadcast did not reach were planned', () => {
  const figures = figuresOf({
    pending: 0,
    skipped: [
      { reason: 'cancelled', count: 6 },
      { reason: 'invalid_number', count: 1 },
    ],
    messages: { sent: 4, cancelled: 2 },
    failed: [],
  });
  expect(figures).toEqual({ planned: 12, sent: 4, failed: 0, unknown: 0, cancelled: 8, left: 0, skipped: 1 });
});

test('a draft without recipients has zeros', () => {
  const figures = figuresOf({ pending: 0, skipped: [], messages: {}, failed: [] });
  expect(new Set(Object.values(figures))).toEqual(new Set([0]));
});
