import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of another site sent the request. A browser says so in Sec-Fetch-Site, or in Origin. A program sends
 * neither, and has no cookie that another site could abuse.
 */
export function isCrossSite({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return origin !== new URL(publicUrl).origin && (!URL.canParse(origin) || new URL(origin).host !== host);
}
