import type { IncomingHttpHeaders } from 'node:http';

/** `__Host-` binds a cookie to this host over https; browsers refuse such a name without Secure. */
const names = [
  'session_token',
  'session_data',
  'account_data',
  'dont_remember',
  'two_factor',
  'trust_device',
  'better-auth-passkey',
] as const;

export function cookieNames(isSecure: boolean): Record<string, { readonly name: string }> {
  const prefix = isSecure ? '__Host-kurir' : 'kurir';
  return Object.fromEntries(names.map((name) => [name, { name: `${prefix}.${name}` }]));
}

const sessionCookie = /(?:^|;\s*)(?:__Host-)?kurir\.session_token=/;

/** Whether a page sent the request: with a session, or at least saying where it comes from. Nothing of it is proved. */
export const isFromBrowser = ({ cookie, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined || origin !== undefined || (cookie !== undefined && sessionCookie.test(cookie));
