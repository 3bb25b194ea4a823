import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rounds } from './rounds.js';

let called: string[];
let rounds: Rounds<string>;

beforeEach(() => {
  vi.useFakeTimers();
  called = [];
  rounds = new Rounds(50, (item) => void called.push(item));
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first one is called at once, what comes within a round in the next one, once each', () => {
  rounds.call('a');
  vi.advanceTimersByTime(1);
  expect(called).toEqual(['a']);
  for (const item of ['b', 'a', 'b']) rounds.call(item);
  vi.advanceTimersByTime(48);
  expect(called).toEqual(['a']);
  vi.advanceTimersByTime(2);
  expect(called).toEqual(['a', 'b', 'a']);
  vi.advanceTimersByTime(50);
  rounds.call('c');
  vi.advanceTimersByTime(1);
  expect(called).toEqual(['a', 'b', 'a', 'c']);
});

test('what asks again while it is called is called in the next round', () => {
  const asking = new Rounds<string>(50, (item) => {
    called.push(item);
    if (called.length < 3) asking.call(item);
  });
  asking.call('a');
  vi.advanceTimersByTime(49);
  expect(called).toEqual(['a']);
  vi.advanceTimersByTime(200);
  expect(called).toEqual(['a', 'a', 'a']);
});

test('nothing is called after the end', () => {
  rounds.call('a');
  rounds.stop();
  vi.advanceTimersByTime(100);
  expect(called).toEqual([]);
});
