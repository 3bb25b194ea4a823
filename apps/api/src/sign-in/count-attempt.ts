import { ApiError } from '@kurir/contracts';
import type { AttemptLimits, AttemptRule } from '@kurir/queue';

export const tooMany = (what: string, retryAfterSeconds: number): ApiError =>
  new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });

/** Counts one; 429 when there were too many of `what` under this key. */
export async function countAttempt(
  attempts: AttemptLimits,
  key: string,
  rule: AttemptRule,
  what: string,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await attempts.take(key, rule);
  if (!allowed) throw tooMany(what, retryAfterSeconds);
}
