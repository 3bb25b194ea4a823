/**
 * Requests per key and minute, counted in Redis for all api processes together: exactly, one by one. Requests of a key
 * that arrive while it is being asked share the next question.
 */
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from './connect.js';

export type RateTally = {
  readonly limit: number;
  /** In this window, those that were counted just now included. */
  readonly taken: number;
  /** Until the window begins anew. */
  readonly resetSeconds: number;
};

export type RateCounter = {
  /** Counts requests of a key. Null when Redis is away: they then pass. */
  count(keyId: string, requests: number): Promise<RateTally | null>;
};

/** A fixed window of a minute per key, shared by all api processes. */
export function createRateCounter(connection: QueueConnection, options: { requestsPerMinute: number }): RateCounter {
  const limiter = new RateLimiterRedis({
    storeClient: connection.commands,
    keyPrefix: `${connection.options.prefix}:rate`,
    points: options.requestsPerMinute,
    duration: 60,
    rejectIfRedisNotReady: true,
  });
  const tallyOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): RateTally => ({
    limit: options.requestsPerMinute,
    taken: consumedPoints,
    resetSeconds: Math.ceil(msBeforeNext / 1000),
  });
  return {
    async count(keyId, requests) {
      try {
        return tallyOf(await limiter.consume(keyId, requests));
      } catch (refusal) {
        return refusal instanceof RateLimiterRes ? tallyOf(refusal) : null;
      }
    },
  };
}

export type RateLimitState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window begins anew. */
  readonly resetSeconds: number;
};

export type RateLimit = {
  /** Counts one request of a key. Null when Redis is away: requests then pass. */
  take(keyId: string): Promise<RateLimitState | null>;
};

/** What the request hears that was counted as the `taken`-th of its window. */
const stateOf = ({ limit, resetSeconds }: RateTally, taken: number): RateLimitState => ({
  allowed: taken <= limit,
  limit,
  remaining: Math.max(0, limit - taken),
  resetSeconds,
});

type Asker = (state: RateLimitState | null) => void;

/** Asks for a key once at a time; `count` must not reject. */
export function createRateLimit(counter: RateCounter): RateLimit {
  const waiting = new Map<string, Asker[]>();

  async function askAll(keyId: string, askers: Asker[]): Promise<void> {
    while (askers.length > 0) {
      // One turn of the event loop gathers what was read from the sockets together.
      await new Promise(setImmediate);
      const asked = askers.splice(0);
      const tally = await counter.count(keyId, asked.length);
      asked.forEach((hear, i) => hear(tally === null ? null : stateOf(tally, tally.taken - asked.length + i + 1)));
    }
    waiting.delete(keyId);
  }

  return {
    take: (keyId) =>
      new Promise((resolve) => {
        const askers = waiting.get(keyId);
        if (askers !== undefined) return void askers.push(resolve);
        const first = [resolve];
        waiting.set(keyId, first);
        void askAll(keyId, first);
      }),
  };
}
