import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { addressOf } from './caller-address.js';

/** Returns an address as people know it: an IPv4 address stays one behind an IPv6 socket. Null: it is no address. */
export function shownAddress(address: string | null | undefined): string | null {
  if (address === null || address === undefined || !ipaddr.isValid(address)) return null;
  return ipaddr.process(address).toString();
}

/** Returns the caller's address as the outermost trusted proxy saw it, or null if this proxy wrote none. */
export const callerAddress = (req: IncomingMessage, trustedProxies: number): string | null =>
  shownAddress(addressOf(req, trustedProxies));
