/**
 * The way in of every signed operation: what it is (signed-routes.ts), its trace and headers, and at its end the
 * answer or the failure. It stands before Express, whose own part of a request would cost as much as all of our
 * checks together (docs/decisions/0007).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, operations } from '@kurir/contracts';
import { GatheredAnswer } from './answer.js';
import { answerThrown, unreadableAddress } from './answer-failure.js';
import type { Api } from './api.js';
import { openTrace } from './request-trace.js';
import { checkHost } from './require-host.js';
import { answerOtherMethod } from './route.js';
import { securityHeaders } from './security-headers.js';
import { type Exchange, type Serve, serveOperation } from './serve-operation.js';
import { decodeParams, findSignedRoute, type RouteFound } from './signed-routes.js';

const policy = securityHeaders.flat();

export function createSignedListener(api: Api): (req: IncomingMessage, res: ServerResponse) => boolean {
  const serves = new Map(
    operations.map((operation): [Operation, Serve] => [operation, serveOperation(operation, api)]),
  );

  async function serveFound(found: RouteFound | 'unreadable', given: Omit<Exchange, 'params'>): Promise<void> {
    const { req, answer, trace } = given;
    checkHost(req);
    // Express would answer it with a page of its own.
    if (found === 'unreadable') throw unreadableAddress();
    const { route, encodedParams } = found;
    const params = decodeParams(encodedParams);
    trace.route = route.path;
    const method = req.method ?? '';
    const operation = route.byMethod.get(method);
    const serve = operation === undefined ? undefined : serves.get(operation);
    if (serve === undefined) return answerOtherMethod(answer, { method, path: route.path, allow: route.allow });
    await serve({ ...given, params });
  }

  /** False, and nothing is done, when the request is for no signed operation. */
  return (req, res) => {
    const found = findSignedRoute(req);
    if (found === null) return false;
    const trace = openTrace(api.logger, req, res);
    const answer = new GatheredAnswer(res, ['X-Request-Id', trace.id, ...policy]);
    const given = { req, res, answer, trace };
    serveFound(found, given).catch((thrown: unknown) => answerThrown(api.logger, thrown, given));
    return true;
  };
}
