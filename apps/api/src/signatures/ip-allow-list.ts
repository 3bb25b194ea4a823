import ipaddr from 'ipaddr.js';

/** An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 address. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = parseAddress(entry);
  return address === null ? null : [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Returns whether an entry is an address or a CIDR range. */
export function isAllowListEntry(entry: string): boolean {
  return parseRange(entry) !== null;
}

/** Returns whether `ip` is in the list. An empty list allows every address, and an unreadable entry allows none. */
export function isAllowedIp(ip: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const address = ip === undefined ? null : parseAddress(ip);
  if (address === null) return false;
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== null && range[0].kind() === address.kind() && address.match(range);
  });
}
