/**
 * Passwords tried per address: after five wrong ones in 15 minutes none is looked at, right or wrong, and the answer says
 * so. Each is counted before it is looked at, so that many at once are no more than five; a right one clears the count.
 */
import { createHash } from 'node:crypto';
import type { AttemptLimits } from '@kurir/queue';

const rule = { max: 5, windowSeconds: 900 };

const keyOf = (email: string) =>
  `password:${createHash('sha256').update(email.trim().toLowerCase(), 'utf8').digest('base64url')}`;

export type PasswordGuesses = {
  /** Counts one; seconds to wait, 0: go on. */
  count(email: string): Promise<number>;
  forget(email: string): Promise<void>;
};

export const createPasswordGuesses = (limits: AttemptLimits): PasswordGuesses => ({
  count: async (email) => (await limits.take(keyOf(email), rule)).retryAfterSeconds,
  forget: (email) => limits.forget(keyOf(email), rule),
});
