/**
 * Recognises requests that a web page caused. The network has no authentication, and any page can make a browser call
 * this machine. A page may also bind a name of its own to the address of this machine.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Names without a dot belong to this machine or to a network of containers. */
function isNear(host: string): boolean {
  const url = `http://${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return !name.includes('.') || isIP(name) !== 0;
}

/** `none` means that a person typed the address. */
export const isFromPage = ({ origin, host, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean =>
  origin !== undefined || site !== 'none' || (host !== undefined && !isNear(host));
