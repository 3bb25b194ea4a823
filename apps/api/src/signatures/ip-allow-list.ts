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

/** Whether an entry is an address or a CIDR range. */
export function isAllowListEntry(entry: string): boolean {
  return parseRange(entry) !== null;
}

/** Whether `ip` is in the list; an empty list holds every address, an entry that cannot be read holds none. */
export function isAllowedIp(ip: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const address = ip === undefined ? null : parseAddress(ip);
  if (address === null) return false;
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== null && range[0].kind() === address.kind() && address.match(range);
  });
}
