/**
 * The trace of a request: the id in its answer, and the fields of its one log line. That line never holds a body, a phone
 * number, a text, a signature or a raw address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccountId, type ApiKeyId, type ErrorCode, newId } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import type { Logger } from '@kurir/logging';
import { logIdsOf, type RequestSpan } from '@kurir/tracing';
import type { RequestHandler } from 'express';
import { measureRequest } from '../metrics/measure-request.js';
import { beginRequestSpan, endRequestSpan } from '../traces/trace-request.js';

export type RequestTrace = {
  readonly id: string;
  readonly startedAt: number;
  /** Null if no collector gets it. */
  readonly span: RequestSpan | null;
  /** The pattern of the route, or null until the router has found one. */
  route: string | null;
  operation: OperationName | null;
  /** Whether a person sent the request, with the cookie of a session. */
  isPerson: boolean;
  /** The answer is a stream of events, which stays open. */
  isStream: boolean;
  accountId: AccountId | null;
  keyId: ApiKeyId | null;
  /** The device that the request names, and the message that it made or asked about. */
  deviceId: string | null;
  jobId: string | null;
  /** The id of the key as the request names it. Until the signature is checked, anybody may have sent it. */
  claimedKeyId: string | null;
  /** The address of a key's request. It stays out of the log. */
  address: string | undefined;
  code: ErrorCode | null;
};

declare global {
  // Express lets an app declare its fields of `res.locals` here.
  namespace Express {
    interface Locals {
      trace: RequestTrace;
    }
  }
}

function newTrace(req: IncomingMessage): RequestTrace {
  return {
    id: newId('req'),
    startedAt: performance.now(),
    span: beginRequestSpan(req),
    route: null,
    operation: null,
    isPerson: false,
    isStream: false,
    accountId: null,
    keyId: null,
    deviceId: null,
    jobId: null,
    claimedKeyId: null,
    address: undefined,
    code: null,
  };
}

type Ended = { readonly trace: RequestTrace; readonly end: RequestEnd };

const healthRoute = /^\/health\//;

/** The end of a request. `status` is null if the caller went away before the answer. */
export type RequestEnd = { readonly status: number | null; readonly durationMs: number };

const endOf = (res: ServerResponse, { startedAt }: RequestTrace): RequestEnd => ({
  status: res.headersSent ? res.statusCode : null,
  durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
});

function logRequest(logger: Logger, method: string, res: ServerResponse, { trace, end }: Ended): void {
  const line = {
    requestId: trace.id,
    method,
    route: trace.route,
    ...end,
    // The logger leaves out undefined fields.
    accountId: trace.accountId ?? undefined,
    keyId: trace.keyId ?? undefined,
    deviceId: trace.deviceId ?? undefined,
    messageId: trace.jobId ?? undefined,
    code: trace.code ?? undefined,
    ...logIdsOf(trace.span?.traceparent),
  };
  if (!res.writableFinished) logger.info(line, 'request aborted');
  else if (trace.route !== null && healthRoute.test(trace.route)) logger.debug(line, 'request served');
  else logger.info(line, 'request served');
}

/** Any other method is text of the caller and stays out of the log. */
const loggedMethod = (req: IncomingMessage) => (/^[A-Z]{3,7}$/.test(req.method ?? '') ? (req.method ?? '') : 'OTHER');

/** Called when the connection has sent or dropped the answer. Must not throw. */
export type NoteEnd = (trace: RequestTrace, end: RequestEnd) => void;

/** Gives the request an id, and writes its log line when the connection has sent or dropped the answer. */
export function openTrace(logger: Logger, req: IncomingMessage, res: ServerResponse, noteEnd?: NoteEnd): RequestTrace {
  const trace = newTrace(req);
  res.once('close', () => {
    const end = endOf(res, trace);
    const method = loggedMethod(req);
    logRequest(logger, method, res, { trace, end });
    measureRequest(trace, end);
    // Probes ask every few seconds. A span without an end is not exported.
    if (trace.route === null || !healthRoute.test(trace.route)) endRequestSpan(trace, { method, ...end });
    noteEnd?.(trace, end);
  });
  return trace;
}

/** Must be the first handler of Express. */
export function requestTraces(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const trace = openTrace(logger, req, res);
    res.locals.trace = trace;
    res.setHeader('X-Request-Id', trace.id);
    next();
  };
}
