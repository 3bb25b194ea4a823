import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from './connect.js';

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

/** A fixed window of a minute per key, shared by all api processes. */
export function createRateLimit(connection: QueueConnection, options: { requestsPerMinute: number }): RateLimit {
  const limiter = new RateLimiterRedis({
    storeClient: connection.commands,
    keyPrefix: `${connection.options.prefix}:rate`,
    points: options.requestsPerMinute,
    duration: 60,
    rejectIfRedisNotReady: true,
  });
  const stateOf = (result: RateLimiterRes, allowed: boolean): RateLimitState => ({
    allowed,
    limit: options.requestsPerMinute,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.ceil(result.msBeforeNext / 1000),
  });
  return {
    async take(keyId) {
      try {
        return stateOf(await limiter.consume(keyId), true);
      } catch (refusal) {
        return refusal instanceof RateLimiterRes ? stateOf(refusal, false) : null;
      }
    },
  };
}
