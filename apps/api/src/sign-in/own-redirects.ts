/** Keeps redirects of signing in on our own pages. better-auth takes `/..//other.example` for a path, and sends people there. */
import { ApiError } from '@kurir/contracts';

/** The pages to which the dashboard and the mails send people. better-auth itself writes `/` into some mails. */
const ownPaths: ReadonlySet<unknown> = new Set(['/', '/app', '/app/reset-password']);

const redirectFields = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'] as const;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * Throws 422 if the query or the body asks for a redirect to anything but one of our pages. `body` is the parsed JSON, or null
 * without a body.
 */
export function requireOwnRedirects(url: URL, body: unknown): void {
  for (const field of redirectFields) {
    const asked = [...url.searchParams.getAll(field), ...(isObject(body) && field in body ? [body[field]] : [])];
    if (asked.some((path) => !ownPaths.has(path)))
      throw new ApiError('INVALID_REQUEST', `${field}: must be /app or /app/reset-password.`);
  }
}

/** Returns the address of a redirect, or `/app` if it leads off our origin. */
export function ownLocation(location: string, publicUrl: string): string {
  const base = new URL(publicUrl);
  const target = URL.canParse(location, publicUrl) ? new URL(location, base) : null;
  if (target === null || target.origin !== base.origin) return '/app';
  // A browser takes a path that begins with two slashes for another host.
  return target.pathname.startsWith('//') ? '/app' : `${target.pathname}${target.search}`;
}
