/** Keeps redirects of signing in on our own pages. better-auth takes `/..//other.example` for a path, and sends people there. */
import { ApiError } from '@kurir/contracts';

/** Where the dashboard and the mails send people. */
const ownPaths: ReadonlySet<unknown> = new Set(['/app', '/app/reset-password']);

const redirectFields = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'] as const;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** An unreadable body is left to better-auth, which refuses it. */
function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}

/** Throws 422 if the query or the JSON body asks for a redirect to anything but one of our pages. */
export function requireOwnRedirects(url: URL, raw: Buffer): void {
  const body = parsed(raw);
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
