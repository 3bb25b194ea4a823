/** Requests per key and minute. Redis being away or slow lets requests pass: accepting must not depend on it. */
import { ApiError, type ApiKeyId, type UserId } from '@kurir/contracts';
import { type RateCounter, type RateLimit, type RateLimitState, rateWindowSeconds } from '@kurir/queue';
import type { HttpAnswer } from './answer.js';

const timeoutMs = 250;
/** After it kept a request waiting, Redis is not asked for this long. */
const restMs = 5_000;

/** A counter that answers null, as when Redis is away, rather than keep requests waiting. */
export function createRateCounterWithTimeout(
  counter: RateCounter,
  now: () => number = () => performance.now(),
): RateCounter {
  let restUntil = Number.NEGATIVE_INFINITY;
  return {
    async count(keyId, requests) {
      if (now() < restUntil) return null;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          restUntil = now() + restMs;
          resolve(null);
        }, timeoutMs);
      });
      const tally = await Promise.race([counter.count(keyId, requests), timeout]);
      clearTimeout(timer);
      return tally;
    },
  };
}

type AnswerHead = Pick<HttpAnswer, 'setHeader'>;

function writeLimit(answer: AnswerHead, state: RateLimitState): void {
  answer.setHeader('RateLimit-Policy', `"requests";q=${state.limit};w=${rateWindowSeconds}`);
  answer.setHeader('RateLimit', `"requests";r=${state.remaining};t=${state.resetSeconds}`);
}

/** Counts the request; 429 when there were too many. */
export async function limitRate(rateLimit: RateLimit, who: ApiKeyId | UserId, answer: AnswerHead): Promise<void> {
  const state = await rateLimit.take(who);
  if (state === null) return;
  writeLimit(answer, state);
  if (state.allowed) return;
  const retryAfterSeconds = Math.max(1, state.resetSeconds);
  const sentence = `${who.startsWith('kk_') ? 'This key has used its' : 'You have used your'} ${state.limit} requests per minute. Try again in ${retryAfterSeconds} s, or send several messages in one bulk.`;
  throw new ApiError('RATE_LIMITED', sentence, { retryAfterSeconds });
}
