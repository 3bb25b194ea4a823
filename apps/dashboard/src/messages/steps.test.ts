import { expect, test } from 'vitest';
import { stepsOf, wholeMs } from './steps.js';

const at = (ms: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + ms).toISOString();
const timeline = [
  { status: 'queued', reason: null, at: at(0) },
  { status: 'sending', reason: null, at: at(40) },
  { status: 'delivered', reason: null, at: at(1_240) },
] as const;

test('each step says how long it took from the step before', () => {
  expect(stepsOf([...timeline]).map(({ tookMs }) => tookMs)).toEqual([null, 40, 1_200]);
  expect(wholeMs([...timeline])).toBe(1_240);
});

test('a single step has no duration, and a clock that steps back makes no negative duration', () => {
  expect(wholeMs([timeline[0]])).toBeNull();
  expect(wholeMs([])).toBeNull();
  expect(stepsOf([timeline[1], timeline[0]])[1]?.tookMs).toBe(0);
});
