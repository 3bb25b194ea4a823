/** The span of a request. It holds ids, codes and the pattern of the route. The address itself may hold a number. */
import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import { type Attributes, beginRequest, isTracing, noteFailedRequest, type RequestSpan } from '@kurir/tracing';

/** Null if the request is not traced. */
export function beginRequestSpan({ headers }: IncomingMessage): RequestSpan | null {
  // Node joins repeated headers of this name with a comma, which no valid value has.
  const { traceparent } = headers;
  return beginRequest(typeof traceparent === 'string' ? traceparent : undefined);
}

type Asked = {
  readonly id: string;
  readonly span: RequestSpan | null;
  readonly route: string | null;
  readonly operation: OperationName | null;
  readonly deviceId: string | null;
  readonly jobId: string | null;
  readonly code: ErrorCode | null;
};

/** `status` is null if the caller went away. */
type Ended = { readonly method: string; readonly status: number | null; readonly durationMs: number };

const isOurFault = ({ status }: Ended): boolean => status !== null && status >= 500;

/** The error that marks the span as failed. A refusal of the caller's mistake does not. */
function errorOf({ code }: Asked, ended: Ended): Attributes {
  if (ended.status === null) return { 'error.type': 'aborted' };
  return isOurFault(ended) ? { 'error.type': code ?? String(ended.status) } : {};
}

const attributesOf = (asked: Asked, ended: Ended): Attributes => ({
  'kurir.request_id': asked.id,
  'http.request.method': ended.method,
  ...(asked.route === null ? {} : { 'http.route': asked.route }),
  ...(asked.operation === null ? {} : { 'kurir.operation': asked.operation }),
  ...(asked.deviceId === null ? {} : { 'kurir.device_id': asked.deviceId }),
  ...(asked.jobId === null ? {} : { 'kurir.job_id': asked.jobId }),
  ...(asked.code === null ? {} : { 'kurir.result': asked.code }),
  ...(ended.status === null ? {} : { 'http.response.status_code': ended.status }),
  ...errorOf(asked, ended),
});

/** Ends the span. A request that failed by our fault is recorded even if it was not traced. */
export function endRequestSpan(asked: Asked, ended: Ended): void {
  const { span, route } = asked;
  if (span === null && !(isTracing() && isOurFault(ended))) return;
  const name = route === null ? ended.method : `${ended.method} ${route}`;
  const attributes = attributesOf(asked, ended);
  if (span === null) noteFailedRequest(name, Date.now() - ended.durationMs, attributes);
  else span.endAs(name, attributes);
}
