/**
 * The entry of every operation: finds its route, opens its trace, and sends its answer or its failure. It stands before
 * Express, which costs more per request than all of our checks (docs/decisions/0007). A request of no operation goes on
 * to Express.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { operationNames, routeTable } from '@kurir/contracts/dashboard';
import { GatheredAnswer } from '../http/answer.js';
import { answerThrown, unreadableAddress } from '../http/answer-failure.js';
import type { Api } from '../operations/api.js';
import type { Exchange } from '../http/exchange.js';
import { createRouter, decodeParams, type OperationRoute, type RouteFound } from './operation-routes.js';
import { openTrace } from '../http/request-trace.js';
import { checkHost, checkOwnHost } from '../http/require-host.js';
import { answerOtherMethod } from '../http/route.js';
import { securityHeaders } from '../http/security-headers.js';
import { serveOperation } from './serve-operation.js';

const policy = securityHeaders.flat();

const routesOf = (api: Api): OperationRoute[] =>
  operationNames.map((operation) => ({ ...routeTable[operation], serve: serveOperation(operation, api) }));

async function serveFound(api: Api, found: RouteFound | 'unreadable', given: Omit<Exchange, 'params'>): Promise<void> {
  const { req, answer, trace } = given;
  checkHost(req);
  // Express would send a page of its own.
  if (found === 'unreadable') throw unreadableAddress();
  const { route, encodedParams } = found;
  if (route.path.startsWith('/app/')) checkOwnHost(req, api.addresses.publicUrl());
  const params = decodeParams(encodedParams);
  trace.route = route.path;
  const method = req.method ?? '';
  const serve = route.byMethod.get(method);
  if (serve === undefined) return answerOtherMethod(answer, { method, path: route.path, allow: route.allow });
  await serve({ ...given, params });
}

/** Returns a listener. It returns false and does nothing if the path belongs to no operation. */
export function createOperationListener(api: Api): (req: IncomingMessage, res: ServerResponse) => boolean {
  const findRoute = createRouter(routesOf(api));
  return (req, res) => {
    const found = findRoute(req);
    if (found === null) return false;
    const trace = openTrace(api.logger, req, res, api.requestLog.note);
    const answer = new GatheredAnswer(res, ['X-Request-Id', trace.id, ...policy]);
    const given = { req, res, answer, trace };
    serveFound(api, found, given).catch((thrown: unknown) => answerThrown(api.logger, thrown, given));
    return true;
  };
}
