import { expect, test } from 'vitest';
import { isOutcome, linesOf } from './outcomes.js';

test('the lines are the outcomes that somebody has, with their reasons', () => {
  const lines = linesOf({
    pending: 4,
    skipped: [
      { reason: 'suppressed', count: 2 },
      { reason: 'duplicate', count: 1 },
    ],
    messages: { delivered: 5, failed: 1, unknown: 0 },
    failed: [{ reason: 'recipient_not_on_network', count: 1 }],
  });
  expect(lines.map(({ outcome, count }) => [outcome, count])).toEqual([
    ['delivered', 5],
    ['failed', 1],
    ['skipped', 3],
    ['pending', 4],
  ]);
  expect(lines[1]?.reasons).toEqual([{ reason: 'recipient_not_on_network', count: 1 }]);
  expect(lines[2]?.reasons).toHaveLength(2);
});

test('an address may name only outcomes', () => {
  expect(isOutcome('failed')).toBe(true);
  expect(isOutcome('scheduled')).toBe(false);
  expect(isOutcome(undefined)).toBe(false);
});
