/**
 * Refuses a proxy whose URL names a private address. The api does not resolve host names. The worker checks the address
 * each time it connects.
 */
import { ApiError } from '@kurir/contracts';
import { namesPrivateHost } from '@kurir/address-guard/public-address';
import type { Api } from '../operations/api.js';

/** Null removes the proxy of a device, and undefined leaves it as it is. Both pass. */
export function requirePublicProxy({ privateProxies }: Pick<Api, 'privateProxies'>, url: string | null | undefined) {
  if (privateProxies === 'allow' || url === null || url === undefined || !namesPrivateHost(url)) return;
  throw new ApiError(
    'INVALID_REQUEST',
    'proxy: must have a public address. This gateway does not connect to private, loopback or link-local addresses.',
    { fault: { field: 'proxy', rule: 'not_public' } },
  );
}
