/** Wrong passwords per address: after five in 15 minutes none is looked at, right or wrong, and the answer says so. */
import { createHash } from 'node:crypto';
import type { AttemptLimits } from '@kurir/queue';

const rule = { max: 5, windowSeconds: 900 };

const keyOf = (email: string) =>
  `password:${createHash('sha256').update(email.trim().toLowerCase(), 'utf8').digest('base64url')}`;

export type PasswordGuesses = {
  /** Seconds to wait; 0: go on. */
  waitSeconds(email: string): Promise<number>;
  wrong(email: string): Promise<void>;
  right(email: string): Promise<void>;
};

export const createPasswordGuesses = (limits: AttemptLimits): PasswordGuesses => ({
  waitSeconds: async (email) => (await limits.look(keyOf(email), rule)).retryAfterSeconds,
  wrong: async (email) => void (await limits.take(keyOf(email), rule)),
  right: (email) => limits.forget(keyOf(email), rule),
});
