import type { IncomingHttpHeaders } from 'node:http';

const names = [
  'session_token',
  'session_data',
  'account_data',
  'dont_remember',
  'two_factor',
  'trust_device',
  'better-auth-passkey',
  'known_browser',
] as const;

/** Over https, the prefix `__Host-` binds a cookie to this host. Browsers refuse this prefix without Secure. */
export function cookieNames(isSecure: boolean): Record<string, { readonly name: string }> {
  const prefix = isSecure ? '__Host-kurir' : 'kurir';
  return Object.fromEntries(names.map((name) => [name, { name: `${prefix}.${name}` }]));
}

/** Whether a cookie may be one of ours. better-auth signs those. */
export const isSignedCookie = (name: string): boolean => /^(?:__Host-)?kurir\./.test(name);

const sessionCookie = /(?:^|;\s*)(?:__Host-)?kurir\.session_token=/;

/** Returns whether a browser seems to have sent the request. A program could send the same headers. */
export const isFromBrowser = ({ cookie, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined || origin !== undefined || (cookie !== undefined && sessionCookie.test(cookie));
