/**
 * The one place that turns a thrown value into an answer. An `ApiError` goes to the caller as it is. An unavailable
 * database becomes 503 if the operation declares it. Anything else is logged with its stack, and the caller gets no
 * detail.
 */
import type { ServerResponse } from 'node:http';
import { ApiError, commonErrors, type ErrorCode } from '@kurir/contracts';
import { dashboardErrors, type OperationEntry, type OperationName, routeTable } from '@kurir/contracts/dashboard';
import { isUnavailable, Overloaded } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { logIdsOf } from '@kurir/tracing';
import type { ErrorRequestHandler } from 'express';
import { answerError, type HttpAnswer } from './answer.js';
import { ClientGone } from './body/read-body.js';
import type { RequestTrace } from './request-trace.js';

const internalError = (cause: unknown) =>
  new ApiError(
    'INTERNAL_ERROR',
    'Something failed on our side. Try again. If it fails again, send us the X-Request-Id.',
    {
      cause,
    },
  );

const unavailable = (sentence: string, cause: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', sentence, { cause, retryAfterSeconds: 1 });

function canAnswer(operation: OperationName | null, code: ErrorCode): boolean {
  if (operation === null) return true;
  const { errors, scope }: OperationEntry = routeTable[operation];
  const common: readonly ErrorCode[] = scope === undefined ? dashboardErrors : commonErrors;
  return errors.includes(code) || common.includes(code);
}

/** Express and its router put a status on errors that are the caller's fault. */
function isCallersFault(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

type TracedCaller = Pick<RequestTrace, 'operation' | 'isPerson'>;

/** On the send path a repeated signature gets its first answer. Elsewhere it is refused. */
function howToRepeat({ operation, isPerson }: TracedCaller): string {
  const repeat = operation === null || isPerson ? undefined : (routeTable[operation] as OperationEntry).repeat;
  if (repeat === undefined) return 'Try again shortly.';
  return repeat === 'first-answer'
    ? 'Repeat the same request: no message is stored twice.'
    : 'Try again shortly: sign the request again with a new X-Timestamp.';
}

export const unreadableAddress = (): ApiError =>
  new ApiError('MALFORMED_REQUEST', 'The address of the request cannot be read. Check its percent-encoding.');

/** Returns the error that the caller gets for a thrown value. */
export function toApiError(error: unknown, caller: TracedCaller): ApiError {
  if (error instanceof ApiError) return error;
  if (isCallersFault(error)) return unreadableAddress();
  if (!canAnswer(caller.operation, 'SERVICE_UNAVAILABLE')) return internalError(error);
  if (error instanceof Overloaded)
    return unavailable('Too many requests are waiting to be stored. Nothing was accepted. Try again shortly.', error);
  if (isUnavailable(error))
    return unavailable(`The database cannot be reached at the moment. ${howToRepeat(caller)}`, error);
  return internalError(error);
}

function logFailure(logger: Logger, error: ApiError, { id: requestId, span }: RequestTrace): void {
  const line = { requestId, code: error.code, ...logIdsOf(span?.traceparent), err: error.cause };
  if (error.code === 'INTERNAL_ERROR') logger.error(line, 'request failed');
  else if (error.cause !== undefined) logger.warn(line, 'request could not be served');
}

type FailedExchange = { readonly res: ServerResponse; readonly answer: HttpAnswer; readonly trace: RequestTrace };

/** Sends the error answer. If the answer has begun already, it only closes the connection. */
export function answerThrown(logger: Logger, thrown: unknown, { res, answer, trace }: FailedExchange): void {
  if (thrown instanceof ClientGone) return void res.destroy();
  const error = toApiError(thrown, trace);
  trace.code = error.code;
  logFailure(logger, error, trace);
  if (res.headersSent) return void res.destroy();
  answerError(answer, error);
}

/** The same as a handler of Express. */
export function answerFailure(logger: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (thrown, _req, res, _next) => answerThrown(logger, thrown, { res, answer: res, trace: res.locals.trace });
}
