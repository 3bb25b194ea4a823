/**
 * Limits the passwords that may be tried for one e-mail address, at a sign-in and in a session. They count for the
 * network of the caller, and for all networks together. A browser that the person has used before counts only for
 * itself, so that strangers cannot lock the person out. A right password clears the counts that it used, and a finished
 * reset clears all.
 */
import { createHash } from 'node:crypto';
import type { GrowingDelays, GuessCount } from '@kurir/queue';

const rule = { free: 5, firstSeconds: 60, maxSeconds: 900 };
const allNetworks: GuessCount = { name: 'all', rule: { ...rule, free: 20 } };

const keyOf = (email: string) => createHash('sha256').update(email.trim().toLowerCase(), 'utf8').digest('base64url');

export type GuessOrigin = {
  readonly network: string;
  /** The hash of the browser's token, if the person has used this browser before. */
  readonly browser: string | null;
};

const countsOf = ({ network, browser }: GuessOrigin): GuessCount[] =>
  browser === null ? [{ name: `network ${network}`, rule }, allNetworks] : [{ name: `browser ${browser}`, rule }];

export type PasswordGuesses = {
  /** Counts one password. Resolves with the seconds to wait, or 0 if the password may be tried. */
  count(email: string, origin: GuessOrigin): Promise<number>;
  /** Clears the counts of the origin, or all counts of the person. */
  forget(email: string, origin?: GuessOrigin): Promise<void>;
};

export const createPasswordGuesses = (delays: GrowingDelays): PasswordGuesses => ({
  count: async (email, origin) => (await delays.take(keyOf(email), countsOf(origin))).retryAfterSeconds,
  forget: (email, origin) => delays.forget(keyOf(email), origin === undefined ? undefined : countsOf(origin)),
});
