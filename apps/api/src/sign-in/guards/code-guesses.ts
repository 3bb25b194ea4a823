/**
 * Limits how many authenticator and backup codes a person may try in a running session, which somebody may have left
 * open. Right and wrong codes count, on every path. At a sign-in, better-auth counts them itself.
 */
import type { AttemptLimits } from '@kurir/queue';

const rule = { max: 5, windowSeconds: 300 };

/** Counts one code. Returns the seconds to wait, or 0 if the code may be tried. */
export async function countCodeGuess(limits: AttemptLimits, userId: string): Promise<number> {
  const { allowed, retryAfterSeconds } = await limits.take(`confirm:${userId}`, rule);
  return allowed ? 0 : retryAfterSeconds;
}
