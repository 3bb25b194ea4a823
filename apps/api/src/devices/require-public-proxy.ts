/**
 * Refuses a proxy whose address says that it stands inside the operator's network. A name is not looked up here: the
 * worker looks at what it connects to, each time.
 */
import { ApiError } from '@kurir/contracts';
import { namesPrivateHost } from '@kurir/address-guard/public-address';
import type { Api } from '../operations/api.js';

/** Nothing to look at in null, which takes a proxy away, and in undefined, which changes none. */
export function requirePublicProxy({ privateProxies }: Pick<Api, 'privateProxies'>, url: string | null | undefined) {
  if (privateProxies === 'allow' || url === null || url === undefined || !namesPrivateHost(url)) return;
  throw new ApiError(
    'INVALID_REQUEST',
    'proxy: must have a public address; this gateway connects to no private, loopback or link-local one.',
  );
}
