/**
 * The one place where what was thrown becomes an answer. What was meant for the caller is answered as it is; a database
 * that cannot be asked is 503 where the endpoint says so; anything else is logged with its stack and answered without
 * detail.
 */
import type { ServerResponse } from 'node:http';
import { ApiError, commonErrors, type ErrorCode } from '@kurir/contracts';
import { dashboardErrors, type OperationEntry, type OperationName, routeTable } from '@kurir/contracts/dashboard';
import { isUnavailable, Overloaded } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { ErrorRequestHandler } from 'express';
import { answerError, type HttpAnswer } from './answer.js';
import { ClientGone } from './read-body.js';
import type { RequestTrace } from './request-trace.js';

const internalError = (cause: unknown) =>
  new ApiError('INTERNAL_ERROR', 'Something broke on our side. Try again; if it stays, tell us the X-Request-Id.', {
    cause,
  });

const unavailable = (sentence: string, cause: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', sentence, { cause, retryAfterSeconds: 1 });

function canAnswer(operation: OperationName | null, code: ErrorCode): boolean {
  if (operation === null) return true;
  const { errors, scope }: OperationEntry = routeTable[operation];
  const common: readonly ErrorCode[] = scope === undefined ? dashboardErrors : commonErrors;
  return errors.includes(code) || common.includes(code);
}

/** Express and its router mark what the caller did wrong with a status. */
function isCallersFault(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

type TracedCaller = Pick<RequestTrace, 'operation' | 'isPerson'>;

/** A signature that was used up is refused the second time; on the send path it gets its first answer. */
function howToRepeat({ operation, isPerson }: TracedCaller): string {
  const repeat = operation === null || isPerson ? undefined : (routeTable[operation] as OperationEntry).repeat;
  if (repeat === undefined) return 'Try again shortly.';
  return repeat === 'first-answer'
    ? 'Repeat the same request: what was stored is not stored twice.'
    : 'Try again shortly, signed anew with a new X-Timestamp.';
}

export const unreadableAddress = (): ApiError =>
  new ApiError('MALFORMED_REQUEST', 'The request address cannot be read. Check its percent-encoding.');

/** What the caller is told about anything that was thrown. */
export function toApiError(error: unknown, caller: TracedCaller): ApiError {
  if (error instanceof ApiError) return error;
  if (isCallersFault(error)) return unreadableAddress();
  if (!canAnswer(caller.operation, 'SERVICE_UNAVAILABLE')) return internalError(error);
  if (error instanceof Overloaded)
    return unavailable('More is waiting than can be stored soon. Nothing was accepted; try again.', error);
  if (isUnavailable(error))
    return unavailable(`The database cannot be reached at the moment. ${howToRepeat(caller)}`, error);
  return internalError(error);
}

function logFailure(logger: Logger, error: ApiError, requestId: string): void {
  const line = { requestId, code: error.code, err: error.cause };
  if (error.code === 'INTERNAL_ERROR') logger.error(line, 'request failed');
  else if (error.cause !== undefined) logger.warn(line, 'request could not be served');
}

type FailedExchange = { readonly res: ServerResponse; readonly answer: HttpAnswer; readonly trace: RequestTrace };

/** Answers what was thrown while a request was served, as far as it still can be answered. */
export function answerThrown(logger: Logger, thrown: unknown, { res, answer, trace }: FailedExchange): void {
  if (thrown instanceof ClientGone) return void res.destroy();
  const error = toApiError(thrown, trace);
  trace.code = error.code;
  logFailure(logger, error, trace.id);
  if (res.headersSent) return void res.destroy();
  answerError(answer, error);
}

/** The same for what Express serves. */
export function answerFailure(logger: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown, _req, res, _next) => answerThrown(logger, thrown, { res, answer: res, trace: res.locals.trace });
}
