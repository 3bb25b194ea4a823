import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from '../redis/connect.js';

export const rateWindowSeconds = 60;

export type RateTally = {
  readonly limit: number;
  /** The requests in this window, including those of this call. */
  readonly taken: number;
  /** The time until the next window begins. */
  readonly resetMs: number;
};

export type RateCounter = {
  /** Counts requests of a key. Returns null while Redis is away, and the requests then pass. Never rejects. */
  count(keyId: string, requests: number): Promise<RateTally | null>;
};

/** Counts in Redis, in a fixed window for each key. All api processes share the count. */
export function createRateCounter(connection: QueueConnection, options: { requestsPerMinute: number }): RateCounter {
  const limiter = new RateLimiterRedis({
    storeClient: connection.commands,
    keyPrefix: `${connection.options.prefix}:rate`,
    points: options.requestsPerMinute,
    duration: rateWindowSeconds,
    rejectIfRedisNotReady: true,
  });
  const tallyOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): RateTally => ({
    limit: options.requestsPerMinute,
    taken: consumedPoints,
    resetMs: msBeforeNext,
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
