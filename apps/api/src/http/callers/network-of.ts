import ipaddr from 'ipaddr.js';

/** One subscriber usually has at least so many bits of IPv6 to choose from. */
const ipv6Parts = 4;

/** Returns the network that counts as one caller in limits: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = parsed.toByteArray();
  return `${Buffer.from(parts.slice(0, 2 * ipv6Parts)).toString('hex')}/64`;
}
