/**
 * One try over HTTP: sends the signed bytes, reads the answer, and returns the outcome as a value. It throws only the
 * reason of the caller's own abort signal.
 */
import { timerMs } from './clock.js';
import type { Connection } from './connection.js';
import { KurirConnectionError, KurirError } from './errors.js';
import { isConnectFailure, reasonOf } from './network-failure.js';
import type { SignedRequest } from './signed-request.js';

export type Outcome<Data> =
  | { readonly kind: 'answered'; readonly data: Data }
  | { readonly kind: 'refused'; readonly error: KurirError; readonly gatewayNowMs: number | null }
  | { readonly kind: 'unanswered'; readonly error: KurirConnectionError };

export type TryOptions = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called for an answer that the gateway gave before. */
  readonly onRepeat?: (() => void) | undefined;
};

export const tryOnce = (
  connection: Connection,
  request: SignedRequest,
  options: TryOptions,
): Promise<Outcome<object>> =>
  attempt(connection, request, options, async (response) => {
    const outcome = readAnswer(response, await response.text(), connection.clock.now());
    if (outcome.kind === 'answered' && response.headers.get('idempotent-replayed') === 'true') options.onRepeat?.();
    return outcome;
  });

/** One try of a file. Its body is not read yet. */
export const tryFile = (
  connection: Connection,
  request: SignedRequest,
  options: TryOptions,
): Promise<Outcome<Response>> =>
  attempt(connection, request, options, async (response) => {
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (response.ok && !isJson) return { kind: 'answered', data: response };
    const read = readAnswer(response, await response.text(), connection.clock.now());
    return read.kind === 'answered' ? { kind: 'unanswered', error: foreignAnswer(response, null) } : read;
  });

async function attempt<Data>(
  connection: Connection,
  request: SignedRequest,
  options: TryOptions,
  read: (response: Response) => Promise<Outcome<Data>>,
): Promise<Outcome<Data>> {
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timerMs(timeoutMs));
  const stop = () => ended.abort();
  signal?.addEventListener('abort', stop);
  try {
    const response = await connection.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      // A redirect would send the key to another address, with a signature for this address.
      redirect: 'manual',
      signal: ended.signal,
    });
    return await read(response);
  } catch (cause) {
    signal?.throwIfAborted();
    return unanswered(cause, connection, ended.signal.aborted ? timeoutMs : null);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function unanswered(cause: unknown, connection: Connection, timedOutMs: number | null) {
  const mayHaveArrived = timedOutMs !== null || !isConnectFailure(cause);
  const what = timedOutMs === null ? reasonOf(cause) : `no answer within ${timedOutMs} ms`;
  const error = new KurirConnectionError(`${connection.baseUrl}: ${what}.`, { mayHaveArrived, cause });
  return { kind: 'unanswered', error } as const;
}

function readAnswer(response: Response, text: string, nowMs: number): Outcome<object> {
  const envelope = parseObject(text);
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'), nowMs);
  if (response.ok && envelope?.['success'] === true && isObject(envelope['data'])) {
    return { kind: 'answered', data: envelope['data'] };
  }
  const { success, code, error: sentence } = envelope ?? {};
  if (success === false && typeof code === 'string' && typeof sentence === 'string') {
    const requestId = response.headers.get('x-request-id');
    const error = new KurirError(sentence, { code, status: response.status, requestId, retryAfterSeconds });
    return { kind: 'refused', error, gatewayNowMs: parseDate(response.headers.get('date')) };
  }
  return { kind: 'unanswered', error: foreignAnswer(response, retryAfterSeconds) };
}

function foreignAnswer({ status, url }: Response, retryAfterSeconds: number | null): KurirConnectionError {
  const redirected = status >= 300 && status < 400;
  const advice = redirected ? 'it redirects; use the address it leads to' : "the answer is not the gateway's JSON";
  // After a redirect, a 4xx or a 429 the server has certainly done nothing.
  const mayHaveArrived = status < 300 || status >= 500;
  const message = `${new URL(url).origin} answered ${status}: ${advice}.`;
  return new KurirConnectionError(message, { mayHaveArrived, status, retryAfterSeconds });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // The text is not JSON, so it is not from the gateway.
    return null;
  }
}

function parseDate(text: string | null): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** The header holds seconds or an HTTP date. */
function parseRetryAfter(text: string | null, nowMs: number): number | null {
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  const at = parseDate(text);
  return at === null ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
