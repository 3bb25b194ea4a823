import { randomBytes } from 'node:crypto';
import { encodeBase62 } from './encode-base62.js';

export type KeyMode = 'live' | 'test';

/** Makes a public key id, `kk_live_…` or `kk_test_…`: 16 random bytes in 22 characters of base62. */
export function makeApiKeyId<Mode extends KeyMode>(mode: Mode): `kk_${Mode}_${string}` {
  return `kk_${mode}_${encodeBase62(randomBytes(16))}`;
}

/**
 * Makes a secret, `ks_live_…` or `ks_test_…`: 32 random bytes in 43 characters. It is shown once and then kept sealed.
 */
export function makeApiSecret<Mode extends KeyMode>(mode: Mode): `ks_${Mode}_${string}` {
  return `ks_${mode}_${encodeBase62(randomBytes(32))}`;
}
