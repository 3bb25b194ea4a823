/**
 * Limits how often something may be tried, for all api processes together. While Redis is away, each process counts for
 * itself. Unlike requests, guesses at a password must always be counted.
 */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from '../redis/connect.js';

export type AttemptRule = { readonly max: number; readonly windowSeconds: number };
export type Attempt = { readonly allowed: boolean; readonly retryAfterSeconds: number };

export type AttemptLimits = {
  /** Counts one attempt. */
  take(key: string, rule: AttemptRule): Promise<Attempt>;
  /** Resets the count. */
  forget(key: string, rule: AttemptRule): Promise<void>;
};

const passed: Attempt = { allowed: true, retryAfterSeconds: 0 };
const secondsOf = (result: RateLimiterRes) => Math.max(1, Math.ceil(result.msBeforeNext / 1000));

export function createAttemptLimits(connection: QueueConnection): AttemptLimits {
  const limiters = new Map<string, RateLimiterRedis>();

  function limiterOf({ max, windowSeconds }: AttemptRule): RateLimiterRedis {
    const name = `${connection.options.prefix}:attempts:${max}:${windowSeconds}`;
    const present = limiters.get(name);
    if (present !== undefined) return present;
    const rule = { keyPrefix: name, points: max, duration: windowSeconds };
    const limiter = new RateLimiterRedis({
      ...rule,
      storeClient: connection.commands,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(rule),
    });
    limiters.set(name, limiter);
    return limiter;
  }

  return {
    async take(key, rule) {
      try {
        await limiterOf(rule).consume(key);
        return passed;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return { allowed: false, retryAfterSeconds: secondsOf(refusal) };
        throw refusal;
      }
    },
    async forget(key, rule) {
      await limiterOf(rule).delete(key);
    },
  };
}
