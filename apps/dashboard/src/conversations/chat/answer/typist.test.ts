import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTypist } from './typist.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function typistOf() {
  const signals: string[] = [];
  return { signals, typist: createTypist((action) => void signals.push(action)) };
}

test('many characters make one signal, which is repeated while somebody goes on', () => {
  const { signals, typist } = typistOf();
  for (let second = 0; second < 25; second++) {
    typist.typed();
    vi.advanceTimersByTime(1_000);
  }
  expect(signals).toEqual(['start', 'start', 'start']);
});

test('the signal ends when nobody types any more', () => {
  const { signals, typist } = typistOf();
  typist.typed();
  vi.advanceTimersByTime(60_000);
  expect(signals).toEqual(['start', 'stop']);
});

test('leaving the field ends the signal once, and says nothing if nobody typed', () => {
  const { signals, typist } = typistOf();
  typist.stop();
  typist.typed();
  typist.stop();
  typist.stop();
  vi.advanceTimersByTime(60_000);
  expect(signals).toEqual(['start', 'stop']);
});

test('a sent message needs no second signal', () => {
  const { signals, typist } = typistOf();
  typist.typed();
  typist.sent();
  vi.advanceTimersByTime(60_000);
  typist.typed();
  expect(signals).toEqual(['start', 'start']);
});
