/**
 * Limits the passwords that may be tried for one e-mail address. Over the limit, even the right password is refused.
 * Each password counts before it is checked, so that parallel requests cannot pass the limit. A right password clears
 * the count.
 */
import { createHash } from 'node:crypto';
import type { AttemptLimits } from '@kurir/queue';

const rule = { max: 5, windowSeconds: 900 };

const keyOf = (email: string) =>
  `password:${createHash('sha256').update(email.trim().toLowerCase(), 'utf8').digest('base64url')}`;

export type PasswordGuesses = {
  /** Counts one password. Resolves with the seconds to wait, or 0 if the password may be tried. */
  count(email: string): Promise<number>;
  forget(email: string): Promise<void>;
};

export const createPasswordGuesses = (limits: AttemptLimits): PasswordGuesses => ({
  count: async (email) => (await limits.take(keyOf(email), rule)).retryAfterSeconds,
  forget: (email) => limits.forget(keyOf(email), rule),
});
