import { ApiError } from '@kurir/contracts';
import type { AttemptLimits, AttemptRule } from '@kurir/queue';

export const tooMany = (what: string, retryAfterSeconds: number): ApiError =>
  new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });

/** Counts one attempt under `key`. Throws 429 if there were too many. `what` names the attempts in the error. */
export async function countAttempt(
  attempts: AttemptLimits,
  key: string,
  rule: AttemptRule,
  what: string,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await attempts.take(key, rule);
  if (!allowed) throw tooMany(what, retryAfterSeconds);
}
