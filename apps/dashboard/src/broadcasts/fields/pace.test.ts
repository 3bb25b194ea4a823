import { limits } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { readPace } from './pace.js';

test.each([
  ['', null],
  ['  ', null],
  ['60', 60],
  [String(limits.broadcastMaxPacePerMinute + 1), undefined],
  ['0', undefined],
  ['1.5', undefined],
  ['cepat', undefined],
])('%j is the pace %j', (text, pace) => {
  expect(readPace(text)).toBe(pace);
});
