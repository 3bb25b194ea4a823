import { expect, test } from 'vitest';
import { betweenOf, spreadOf } from './wire-times.js';

const accepted = new Map([
  ['628161', 1_000],
  ['628162', 1_100],
  ['628163', 1_200],
]);

test('a time runs from acceptance to the first frame, and a message without a frame counts as missing', () => {
  const toRecipient = new Map([
    ['628161', 1_004],
    ['628163', 1_950],
    ['628169', 1_000],
  ]);
  expect(betweenOf(['628161', '628162', '628163'], accepted, toRecipient)).toEqual({ ms: [4, 750], missing: 1 });
});

test('a code that was not accepted makes the measurement fail', () => {
  expect(() => betweenOf(['628161', '628164'], accepted, new Map())).toThrow('of 2 codes 1 are stored as accepted');
});

test('the 99th percentile of 200 times is the third longest', () => {
  const times = Array.from({ length: 200 }, (_, n) => n + 1);
  expect(spreadOf(times)).toEqual({ p50: 100, p99: 198, max: 200 });
});
