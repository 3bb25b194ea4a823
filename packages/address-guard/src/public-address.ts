/**
 * Which addresses the whole internet can reach, by IANA's registries of special ones (ipaddr.js). Whatever a customer
 * names is connected to from inside the operator's network, so everything else is out of bounds there.
 */
import ipaddr from 'ipaddr.js';

/** Public by its number, yet inside: the service with which a virtual machine on Azure talks to its host. */
const HOST_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** An IPv4 address written as `::10.0.0.1`, once meant for the way to IPv6: some systems still take it for that address. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/** False for loopback, private, link-local (metadata services), unique-local, multicast, reserved and what is no address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && parsed.match(COMPATIBLE)) return false;
  return parsed.range() === 'unicast' && !HOST_SERVICES.has(parsed.toString());
}

/** Without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Whether the address itself says so, before any name is looked up: `http://10.0.0.1:3128`, `socks5://localhost`. */
export function namesPrivateHost(url: string): boolean {
  const host = hostOf(url).toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && !isPublicAddress(host);
}
