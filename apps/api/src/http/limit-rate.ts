/**
 * Limits requests per key and account in a minute, and those of a person. A large body counts as several requests. If
 * Redis is away or slow, requests pass: accepting must not depend on it.
 */
import { type AccountId, ApiError, type ApiKeyId, type UserId } from '@kurir/contracts';
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

/** The keys of an account together may make so many times the requests of one key. */
export const accountShare = 3;

/** A body costs parsing and storing, so each started part of this size counts as a request. */
const bytesPerRequest = 32 * 1024;

export const weightOf = (bodyBytes: number): number => Math.max(1, Math.ceil(bodyBytes / bytesPerRequest));

export type RateLimits = {
  readonly rateLimit: RateLimit;
  /** Counts the requests of all keys of an account. */
  readonly accountRateLimit: RateLimit;
};

function refuse(state: RateLimitState, who: 'This key' | 'This account' | 'You'): never {
  const retryAfterSeconds = Math.max(1, state.resetSeconds);
  const limit = `${who} may send ${state.limit} requests per minute.`;
  const advice = `Try again in ${retryAfterSeconds} s${who === 'This key' ? ', or send several messages in one bulk request' : ''}.`;
  throw new ApiError('RATE_LIMITED', `${limit} ${advice}`, { retryAfterSeconds });
}

type KeyRequest = { readonly keyId: ApiKeyId; readonly accountId: AccountId; readonly bodyBytes: number };

/** Counts the request of a key. Throws 429 if the key or its account made too many. Tells the limit that is nearer. */
export async function limitKeyRate(limits: RateLimits, request: KeyRequest, answer: AnswerHead): Promise<void> {
  const weight = weightOf(request.bodyBytes);
  const ofKey = await limits.rateLimit.take(request.keyId, weight);
  // A key that goes on above its limit must not use up the share of the other keys.
  const ofAccount = ofKey?.allowed === false ? null : await limits.accountRateLimit.take(request.accountId, weight);
  const isAccountNearer = ofAccount !== null && (ofKey === null || ofAccount.remaining < ofKey.remaining);
  const nearer = isAccountNearer ? ofAccount : ofKey;
  if (nearer !== null) writeLimit(answer, nearer);
  if (ofKey?.allowed === false) refuse(ofKey, 'This key');
  if (ofAccount?.allowed === false) refuse(ofAccount, 'This account');
}

/** Counts the request of a person. Throws 429 if there were too many. */
export async function limitPersonRate({ rateLimit }: RateLimits, who: UserId, answer: AnswerHead): Promise<void> {
  const state = await rateLimit.take(who);
  if (state === null) return;
  writeLimit(answer, state);
  if (!state.allowed) refuse(state, 'You');
}
