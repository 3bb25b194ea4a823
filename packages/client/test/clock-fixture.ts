import type { Clock } from '../src/calls/clock.js';

export type FakeClock = Clock & { readonly slept: number[]; advance(ms: number): void };

/** A clock that stands still. A sleep ends at once and moves the clock. */
export function fakeClock(startMs = Date.parse('2026-11-21T09:00:00.000Z')): FakeClock {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
    },
  };
}
