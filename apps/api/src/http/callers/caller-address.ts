import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

/** `203.0.113.7:51234` and `[2001:db8::7]:51234`: some proxies append the port of the caller. */
const withPort = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/;

/** Returns the address without a port, or undefined if the text is no address. */
export function plainAddress(text: string): string | undefined {
  const [, six, four] = withPort.exec(text.trim()) ?? [];
  const address = six ?? four ?? text.trim();
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : undefined;
}

/**
 * Returns the caller's address, as the outermost trusted proxy saw it. Returns undefined if this proxy wrote no address:
 * such callers share their limits among themselves, and no allow-list has them.
 */
export const addressOf = (req: IncomingMessage, trustedProxies: number): string | undefined =>
  plainAddress(proxyAddress(req, (_address, hop) => hop < trustedProxies) ?? '');
