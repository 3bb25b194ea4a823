/**
 * Says which addresses the whole internet can reach, according to IANA's registries of special addresses (ipaddr.js).
 * The worker connects to a customer's address from inside the operator's network. So only public addresses are allowed.
 */
import ipaddr from 'ipaddr.js';

/** A public address that is inside: with this service a virtual machine on Azure talks to its host. */
const HOST_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * IPv4 addresses written as `::10.0.0.1`, from the transition to IPv6. Some systems still connect to the IPv4 address.
 */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * False for loopback, private, link-local (metadata services), unique-local, multicast and reserved addresses, and for
 * any other text.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && parsed.match(COMPATIBLE)) return false;
  return parsed.range() === 'unicast' && !HOST_SERVICES.has(parsed.toString());
}

/** The host of a URL, without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const nameOf = (url: string): string => hostOf(url).toLowerCase().replace(/\.$/, '');

/** `127.0.0.0/8` and `::1`, in any form of writing. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Whether the URL names this machine without any lookup: `http://localhost:3000`, `http://127.0.0.1`. */
export function namesLoopback(url: string): boolean {
  const host = nameOf(url);
  return isLocalName(host) || isLoopbackAddress(host);
}

/** Whether the URL names a private host without any lookup: `http://10.0.0.1:3128`, `socks5://localhost`. */
export function namesPrivateHost(url: string): boolean {
  const host = nameOf(url);
  return isLocalName(host) || (ipaddr.isValid(host) && !isPublicAddress(host));
}
