import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from '../redis/connect.js';

export const rateWindowSeconds = 60;

export type RateTally = {
  readonly limit: number;
  /** In this window, those that were counted just now included. */
  readonly taken: number;
  /** Until the window begins anew. */
  readonly resetMs: number;
};

export type RateCounter = {
  /** Counts requests of a key. Null when Redis is away: they then pass. Never rejects. */
  count(keyId: string, requests: number): Promise<RateTally | null>;
};

/** Counts in Redis: a fixed window of a minute per key, shared by all api processes. */
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
