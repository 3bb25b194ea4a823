import ipaddr from 'ipaddr.js';

/** An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 address. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return isPlain(text) && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** IPv4 only as four decimal numbers. Other forms name surprising addresses: 010.0.0.1 is 8.0.0.1. */
const isPlain = (text: string): boolean => {
  const last = text.slice(text.lastIndexOf(':') + 1);
  return text.includes(':') && !last.includes('.') ? true : ipaddr.IPv4.isValidFourPartDecimal(last);
};

const mappedBits = 96;

/**
 * A range of IPv4 addresses inside IPv6 counts as the range of the IPv4 addresses. A larger one that begins there has
 * other IPv6 addresses too, so nobody can mean it, and it returns null.
 */
function unmapRange([address, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress()) return [address, bits];
  return bits < mappedBits ? null : [address.toIPv4Address(), bits - mappedBits];
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = ''] = entry.split('/');
  if (!isPlain(address)) return null;
  if (ipaddr.isValidCIDR(entry)) return unmapRange(ipaddr.parseCIDR(entry));
  const single = parseAddress(entry);
  return single === null ? null : [single, single.kind() === 'ipv4' ? 32 : 128];
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
