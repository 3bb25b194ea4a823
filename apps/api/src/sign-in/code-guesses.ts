/**
 * Authenticator and backup codes that are tried in a running session, which somebody may have left open: five in five
 * minutes per person, right or wrong, whichever way they are tried. At a sign-in better-auth counts them itself.
 */
import type { AttemptLimits } from '@kurir/queue';

const rule = { max: 5, windowSeconds: 300 };

/** Counts one; seconds to wait, 0: go on. */
export async function countCodeGuess(limits: AttemptLimits, userId: string): Promise<number> {
  const { allowed, retryAfterSeconds } = await limits.take(`confirm:${userId}`, rule);
  return allowed ? 0 : retryAfterSeconds;
}
