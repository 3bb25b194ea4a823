import { setTimeout } from 'node:timers/promises';

/** The only source of time. Tests replace it, so that they need not wait. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

const maxTimerMs = 2 ** 31 - 1;

/** Node's timers take whole milliseconds. They fire at once if the time is longer than `maxTimerMs`. */
export function timerMs(ms: number): number {
  return Math.min(Math.ceil(ms), maxTimerMs);
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    try {
      await setTimeout(timerMs(ms), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
