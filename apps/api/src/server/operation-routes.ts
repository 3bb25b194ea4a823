/**
 * Finds the operation of a request. Case and slashes must match exactly, and a fixed path wins over a path with a
 * parameter. Express finds the pages by the same rules.
 */
import type { IncomingMessage } from 'node:http';
import parseUrl from 'parseurl';
import { unreadableAddress } from '../http/answer-failure.js';
import type { Serve } from '../http/exchange.js';
import { allowedMethods } from '../http/route.js';

export type OperationRoute = {
  readonly method: string;
  /** Its parameters are written `{name}`. */
  readonly path: string;
  readonly serve: Serve;
  /** Set for a file or a stream. It has no HEAD, because its handler would write all of it. */
  readonly answers?: 'file' | 'events';
};

/** All operations of one path. */
type PathRoute = {
  readonly path: string;
  /** HEAD has the operation of GET, unless that is a file or a stream. */
  readonly byMethod: ReadonlyMap<string, Serve>;
  readonly allow: string;
};

export type RouteFound = { readonly route: PathRoute; readonly encodedParams: Readonly<Record<string, string>> };

function pathRouteOf(path: string, routes: readonly OperationRoute[]): PathRoute {
  const atPath = routes.filter((route) => route.path === path);
  const byMethod = new Map(atPath.map(({ method, serve }) => [method, serve]));
  if (byMethod.size !== atPath.length) throw new Error(`two operations of one method stand at ${path}`);
  const read = atPath.find(({ method, answers }) => method === 'GET' && answers === undefined);
  const allow = allowedMethods([...byMethod.keys()], read !== undefined);
  if (read !== undefined) byMethod.set('HEAD', read.serve);
  return { path, byMethod, allow };
}

const hasParameter = (path: string) => path.includes('{');
const escaped = (path: string) => path.replaceAll('.', '\\.');
const patternOf = (path: string) => new RegExp(`^${escaped(path).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Returns the path as Express reads it, or null if the address cannot be parsed. */
function pathOf(req: IncomingMessage): string | null {
  try {
    return parseUrl(req)?.pathname ?? '';
  } catch {
    return null;
  }
}

export type FindRoute = (req: IncomingMessage) => RouteFound | 'unreadable' | null;

/**
 * Returns a function that finds the route of a request and ignores its method. It returns null if the path belongs to
 * no operation, and `unreadable` if the address cannot be parsed.
 */
export function createRouter(routes: readonly OperationRoute[]): FindRoute {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const fixed = new Map(
    paths
      .filter((path) => !hasParameter(path))
      .map((path): [string, RouteFound] => [path, { route: pathRouteOf(path, routes), encodedParams: {} }]),
  );
  const patterns = paths
    .filter(hasParameter)
    .map((path) => ({ route: pathRouteOf(path, routes), pattern: patternOf(path) }));

  function matchPatterns(asked: string): RouteFound | null {
    for (const { route, pattern } of patterns) {
      const match = pattern.exec(asked);
      if (match !== null) return { route, encodedParams: match.groups ?? {} };
    }
    return null;
  }

  return (req) => {
    const path = pathOf(req);
    return path === null ? 'unreadable' : (fixed.get(path) ?? matchPatterns(path));
  };
}

/** Returns the decoded parameters, or throws 400. */
export function decodeParams(encoded: RouteFound['encodedParams']): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(encoded).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw unreadableAddress();
  }
}
