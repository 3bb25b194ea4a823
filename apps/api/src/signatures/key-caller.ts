import type { ApiKeyId } from '@kurir/contracts';
import type { CallerIdentity } from '../http/callers/caller-identity.js';

export type KeyCaller = CallerIdentity<ApiKeyId> & {
  readonly by: 'key';
  readonly secretVersion: number;
  /** Empty: the key may do everything. */
  readonly scopes: readonly string[];
};
