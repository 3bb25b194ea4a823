/**
 * Checks the header Host. Keys may call the api by any name, for example by that of a load balancer. The pages and
 * operations of people exist only at the public address. Otherwise a page of another site could give this machine's
 * address to its own name and read them. X-Forwarded-Host counts nowhere.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import type { Addresses } from './addresses.js';
import { isLoopback } from './loopback.js';

/** Node keeps the first of several. A proxy in front may have read another. `rawHeaders` lists names and values in turn. */
const countHosts = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length;

/**
 * HTTP/1.1 requires the header Host, and only one (RFC 9112, section 3.2). The api checks it instead of Node, so that the
 * refusal has our envelope.
 */
export function checkHost(req: IncomingMessage): void {
  if (countHosts(req) > 1)
    throw new ApiError('MALFORMED_REQUEST', 'The header Host appears more than once. Send it once.');
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw new ApiError('MALFORMED_REQUEST', 'The header Host is missing. Send it with every request.');
}

/** The same as a handler of Express. */
export const requireHost: RequestHandler = (req, _res, next) => {
  checkHost(req);
  next();
};

/** More than this would change the meaning of the URL that is made of it. */
const hostAndPort = /^[\w.:[\]-]+$/;

/** Returns the URL of the host that was asked for. The scheme decides which port may be left out. */
function askedUrl(host: string, protocol: string): URL | null {
  const text = `${protocol}//${host}`;
  return hostAndPort.test(host) && URL.canParse(text) ? new URL(text) : null;
}

const withoutDot = ({ hostname, port }: URL) => `${hostname.replace(/\.$/, '')}:${port}`;

/** Throws 421 unless Host is that of the public address. On loopback it may be any name of loopback, with any port. */
export function checkOwnHost({ headers }: IncomingMessage, publicUrl: string): void {
  const own = new URL(publicUrl);
  const asked = askedUrl(headers.host ?? '', own.protocol);
  const isOwn = asked !== null && withoutDot(asked) === withoutDot(own);
  if (isOwn || (asked !== null && isLoopback(asked.hostname) && isLoopback(own.hostname))) return;
  throw new ApiError(
    'MISDIRECTED_REQUEST',
    `The pages of this gateway are at ${own.origin} only. Open them there. If that is not the right address, its operator sets KURIR_PUBLIC_URL. A proxy in front must pass the header Host on.`,
  );
}

/** The same as a handler of Express. */
export function ownHostOnly(addresses: Addresses): RequestHandler {
  return (req, _res, next) => {
    checkOwnHost(req, addresses.publicUrl());
    next();
  };
}
