/** The time of a lane. The model of the tests has another clock, which stands still until it is told. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Clock = {
  /** Milliseconds of a clock that goes on while this process stands still. */
  now(): number;
  /** Resolves after so many milliseconds. */
  pause(ms: number): Promise<void>;
  /** Calls once after so many milliseconds. The returned function cancels the call. */
  after(ms: number, call: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  pause: (ms) => sleep(ms),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
