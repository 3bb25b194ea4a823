/**
 * What is remembered of a request while it is served: the id that every answer carries, and what its one log line
 * says. Never a body, a phone number, a text, a signature or a raw address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccountId, type ApiKeyId, type ErrorCode, newId } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import type { Logger } from '@kurir/logging';
import type { RequestHandler } from 'express';

export type RequestTrace = {
  readonly id: string;
  readonly startedAt: number;
  /** The route's pattern; null until one was found. */
  route: string | null;
  operation: OperationName | null;
  /** Whether the operation is asked for by the cookie of a session. */
  isPerson: boolean;
  accountId: AccountId | null;
  keyId: ApiKeyId | null;
  code: ErrorCode | null;
};

declare global {
  // The place that Express keeps for this: every response carries its request's trace.
  namespace Express {
    interface Locals {
      trace: RequestTrace;
    }
  }
}

function newTrace(): RequestTrace {
  return {
    id: newId('req'),
    startedAt: performance.now(),
    route: null,
    operation: null,
    isPerson: false,
    accountId: null,
    keyId: null,
    code: null,
  };
}

const healthRoute = /^\/health\//;

function logRequest(logger: Logger, method: string, res: ServerResponse, trace: RequestTrace): void {
  const line = {
    requestId: trace.id,
    method,
    route: trace.route,
    status: res.headersSent ? res.statusCode : null,
    durationMs: Math.round((performance.now() - trace.startedAt) * 100) / 100,
    // What is undefined is not written.
    accountId: trace.accountId ?? undefined,
    keyId: trace.keyId ?? undefined,
    code: trace.code ?? undefined,
  };
  if (!res.writableFinished) logger.info(line, 'request aborted');
  else if (trace.route !== null && healthRoute.test(trace.route)) logger.debug(line, 'request served');
  else logger.info(line, 'request served');
}

/** HTTP's own methods only; a made-up one is the caller's text and stays out of the log. */
const loggedMethod = (req: IncomingMessage) => (/^[A-Z]{3,7}$/.test(req.method ?? '') ? (req.method ?? '') : 'OTHER');

/** Gives a request its id, and writes its log line when the answer is out or given up. */
export function openTrace(logger: Logger, req: IncomingMessage, res: ServerResponse): RequestTrace {
  const trace = newTrace();
  res.once('close', () => logRequest(logger, loggedMethod(req), res, trace));
  return trace;
}

/** First of all handlers of Express. */
export function requestTraces(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const trace = openTrace(logger, req, res);
    res.locals.trace = trace;
    res.setHeader('X-Request-Id', trace.id);
    next();
  };
}
