/**
 * Serves every HTTP request with the JSON of its route in routes.ts, or with `{"error"}`. Errors are 404 (no such
 * path), 403 (from a web page), 405 (wrong method), 413, 415, 422 or 500. Changes nothing itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../network/exchange/exchange.js';
import type { LinkAttempts } from '../network/linking/link-attempts.js';
import { isFromPage } from '../protocol/web-pages.js';
import { readBody } from './read-body.js';
import { RequestError } from './request-error.js';
import { type Answer, makeRoutes, type Route } from './routes.js';

export function answerRequests(exchange: Exchange, linking: LinkAttempts, instance?: string) {
  const named = instance === undefined ? {} : { 'x-kurir-instance': instance };
  const routes = makeRoutes(exchange, linking);
  return (request: IncomingMessage, response: ServerResponse): void => {
    void serve(routes, request).then(({ status, json }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...named });
      response.end(`${json}\n`);
    });
  };
}

async function serve(routes: readonly Route[], request: IncomingMessage): Promise<Answer> {
  try {
    if (isFromPage(request.headers)) throw new RequestError(403, 'web pages may not call the simulator');
    const url = new URL(request.url ?? '/', 'http://simulator');
    const { route, number } = findRoute(routes, request.method ?? 'GET', url.pathname);
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    return await route.answer({ number, query: Object.fromEntries(url.searchParams), body });
  } catch (error) {
    if (error instanceof RequestError) return asError(error.status, error.message);
    console.error(error);
    return asError(500, 'the simulator failed; its standard error says why');
  }
}

function asError(status: number, error: string): Answer {
  return { status, json: JSON.stringify({ error }) };
}

function findRoute(routes: readonly Route[], method: string, path: string): { route: Route; number: string } {
  const atPath = routes.filter((route) => match(route, path) !== null);
  const route = atPath.find((candidate) => candidate.method === method);
  if (route) return { route, number: match(route, path) ?? '' };
  if (atPath.length === 0) throw new RequestError(404, `there is no ${path} here`);
  throw new RequestError(405, `${path} takes ${atPath.map((candidate) => candidate.method).join(', ')}`);
}

/** The `{number}` in the path, or an empty string when the route has none. Null when the path does not match. */
function match(route: Route, path: string): string | null {
  const wanted = route.path.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const matches = wanted.every((part, i) => part === '{number}' || part === given[i]);
  return matches ? (given[wanted.indexOf('{number}')] ?? '') : null;
}
