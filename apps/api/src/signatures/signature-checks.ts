import type { Sealer } from '@kurir/database';
import type { ApiKeyCache } from './api-key-cache.js';
import type { UsedSecrets } from './used-secrets.js';

export type SignatureChecks = {
  readonly keys: ApiKeyCache;
  readonly usedSecrets: UsedSecrets;
  /** Seals and opens the secrets of keys, and the other secrets of an account. */
  readonly sealer: Sealer;
};
