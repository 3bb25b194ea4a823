/**
 * Limits the requests of a key in a minute, for all api processes together. Requests of a key in one turn of the event
 * loop share one call to Redis. Each request has its own place in the result.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RateCounter, RateTally } from './rate-counter.js';

export type RateLimitState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** The time until the next window begins. */
  readonly resetSeconds: number;
};

export type RateLimit = {
  /** Counts one request of a key. Returns null while Redis is away. The request then passes. */
  take(keyId: string): Promise<RateLimitState | null>;
};

type Waiter = (state: RateLimitState | null) => void;

/** `place` is the place of the request in its window, from 1. */
const stateOf = ({ limit, resetMs }: RateTally, place: number): RateLimitState => ({
  allowed: place <= limit,
  limit,
  remaining: Math.max(0, limit - place),
  resetSeconds: Math.ceil(resetMs / 1_000),
});

export function createRateLimit(counter: RateCounter): RateLimit {
  const arriving = new Map<string, Waiter[]>();

  async function ask(keyId: string, waiters: Waiter[]): Promise<void> {
    await yieldToEventLoop();
    arriving.delete(keyId);
    const tally = await counter.count(keyId, waiters.length);
    const before = tally === null ? 0 : tally.taken - waiters.length;
    for (const [i, tell] of waiters.entries()) tell(tally === null ? null : stateOf(tally, before + i + 1));
  }

  return {
    take: (keyId) =>
      new Promise((resolve) => {
        const waiters = arriving.get(keyId);
        if (waiters !== undefined) return void waiters.push(resolve);
        const first = [resolve];
        arriving.set(keyId, first);
        void ask(keyId, first);
      }),
  };
}
