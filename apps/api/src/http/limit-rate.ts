/** Limits requests per key and minute. If Redis is away or slow, requests pass: accepting must not depend on it. */
import { ApiError, type ApiKeyId, type UserId } from '@kurir/contracts';
import { type RateCounter, type RateLimit, type RateLimitState, rateWindowSeconds } from '@kurir/queue';
import type { HttpAnswer } from './answer.js';

const timeoutMs = 250;
/** After a timeout, Redis is not asked for this long. */
const restMs = 5_000;

/** Wraps `counter` so that it returns null after a timeout, as it does when Redis is away. */
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

/** Counts the request. Throws 429 if there were too many. */
export async function limitRate(rateLimit: RateLimit, who: ApiKeyId | UserId, answer: AnswerHead): Promise<void> {
  const state = await rateLimit.take(who);
  if (state === null) return;
  writeLimit(answer, state);
  if (state.allowed) return;
  const retryAfterSeconds = Math.max(1, state.resetSeconds);
  const isKey = who.startsWith('kk_');
  const limit = `${isKey ? 'This key' : 'You'} may send ${state.limit} requests per minute.`;
  const advice = `Try again in ${retryAfterSeconds} s${isKey ? ', or send several messages in one bulk request' : ''}.`;
  throw new ApiError('RATE_LIMITED', `${limit} ${advice}`, { retryAfterSeconds });
}
