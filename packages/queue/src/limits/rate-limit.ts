/**
 * Limits the requests of a key in a minute, for all api processes together. Requests of a key in one turn of the event
 * loop share one call to Redis. Each request has its own place in the result. A request may count as several.
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
  /** Counts a request of a key as `weight` requests. Returns null while Redis is away. The request then passes. */
  take(keyId: string, weight?: number): Promise<RateLimitState | null>;
};

type Waiter = { readonly weight: number; readonly tell: (state: RateLimitState | null) => void };

/** `place` is the last place of the request in its window, from 1. */
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
    const weight = waiters.reduce((sum, waiter) => sum + waiter.weight, 0);
    const tally = await counter.count(keyId, weight);
    let place = tally === null ? 0 : tally.taken - weight;
    for (const waiter of waiters) {
      place += waiter.weight;
      waiter.tell(tally === null ? null : stateOf(tally, place));
    }
  }

  return {
    take: (keyId, weight = 1) =>
      new Promise((resolve) => {
        const waiters = arriving.get(keyId);
        const waiter = { weight, tell: resolve };
        if (waiters !== undefined) return void waiters.push(waiter);
        const first = [waiter];
        arriving.set(keyId, first);
        void ask(keyId, first);
      }),
  };
}
