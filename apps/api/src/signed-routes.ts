/**
 * The paths of the route table's operations, looked up as Express looks up the others: exact in case and slashes, a
 * fixed path before one with a parameter.
 */
import type { IncomingMessage } from 'node:http';
import { endpoints, type Operation, operations } from '@kurir/contracts';
import parseUrl from 'parseurl';
import { unreadableAddress } from './answer-failure.js';
import { allowedMethods } from './route.js';

export type SignedRoute = {
  readonly path: string;
  /** Of GET also under HEAD. */
  readonly byMethod: ReadonlyMap<string, Operation>;
  readonly allow: string;
};

export type RouteFound = { readonly route: SignedRoute; readonly encodedParams: Readonly<Record<string, string>> };

function routeOf(path: string): SignedRoute {
  const atPath = operations.filter((operation) => endpoints[operation].path === path);
  const byMethod = new Map<string, Operation>(atPath.map((operation) => [endpoints[operation].method, operation]));
  const allow = allowedMethods([...byMethod.keys()]);
  const read = byMethod.get('GET');
  if (read !== undefined) byMethod.set('HEAD', read);
  return { path, byMethod, allow };
}

const hasParameter = (path: string) => path.includes('{');
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const paths = [...new Set(operations.map((operation) => endpoints[operation].path))];
const fixed = new Map(
  paths
    .filter((path) => !hasParameter(path))
    .map((path): [string, RouteFound] => [path, { route: routeOf(path), encodedParams: {} }]),
);
const patterns = paths.filter(hasParameter).map((path) => ({ route: routeOf(path), pattern: patternOf(path) }));

function matchPatterns(asked: string): RouteFound | null {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(asked);
    if (match !== null) return { route, encodedParams: match.groups ?? {} };
  }
  return null;
}

/** As Express reads it; null for an address that cannot be taken apart. */
function pathOf(req: IncomingMessage): string | null {
  try {
    return parseUrl(req)?.pathname ?? '';
  } catch {
    return null;
  }
}

/** The route that a request names, whatever its method; null when it names another thing. */
export function findSignedRoute(req: IncomingMessage): RouteFound | 'unreadable' | null {
  const path = pathOf(req);
  return path === null ? 'unreadable' : (fixed.get(path) ?? matchPatterns(path));
}

/** The parameters as they are meant, or 400. */
export function decodeParams(encoded: RouteFound['encodedParams']): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(encoded).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw unreadableAddress();
  }
}
