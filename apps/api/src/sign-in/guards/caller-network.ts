import ipaddr from 'ipaddr.js';
import { shownAddress } from '../../http/callers/shown-address.js';

/** Carries the address of the caller to better-auth. A header of this name from a client is dropped. */
export const clientIpHeader = 'x-kurir-client-ip';

/** The address of the caller as people know it, or null. */
export const callerAddressOf = (headers: Headers | undefined): string | null =>
  shownAddress(headers?.get(clientIpHeader));

/** The network of the caller: /24 of IPv4, /64 of IPv6. One customer of a provider often has all of a /64. */
export function guessNetworkOf(headers: Headers | undefined): string {
  const address = headers?.get(clientIpHeader) ?? '';
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.x`;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::x`;
}
