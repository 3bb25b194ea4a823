/**
 * Posts bodies to one address that a customer chose. It connects only to addresses that the policy allows, follows no
 * redirect, and limits the time and the size of the answer. The connections stay open for later posts.
 */
import type { LookupFunction } from 'node:net';
import { Pool, type Dispatcher, errors } from 'undici';
import { type AddressPolicy, problemOfUrl } from './called-url.js';
import { AddressNotAllowed, createGuardedLookup } from './public-lookup.js';

/** Why no usable answer came. */
export type PostFailure =
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'dns'
  | 'address_not_allowed'
  | 'tls'
  | 'redirect'
  | 'bad_answer';

export type PostAnswer = {
  /** Null: no status came. */
  readonly status: number | null;
  readonly failure: PostFailure | null;
  /** The beginning of the answer, if the status is no success. */
  readonly text: string | null;
  /** The header Retry-After. */
  readonly retryAfter: string | null;
  readonly durationMs: number;
};

export type Poster = {
  /** Never rejects. */
  post(headers: Readonly<Record<string, string>>, body: string): Promise<PostAnswer>;
  /** Ends all connections. Running posts fail. */
  close(): void;
};

export type PosterOptions = {
  readonly policy: AddressPolicy;
  readonly maxConnections: number;
  /** The time from the call to the status of the answer. */
  readonly timeoutMs: number;
  /** By default the lookup of the system. */
  readonly lookup?: LookupFunction;
};

const shownBytes = 2_048;
/** A longer answer of success costs the connection. */
const drainedBytes = 64 * 1_024;
const connectMs = 5_000;
const idleMs = 20_000;

const failures: Readonly<Record<string, PostFailure>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_ABORTED: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
};

const tlsCodes = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function failureOf(error: unknown): PostFailure {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  if (error instanceof errors.HTTPParserError) return 'bad_answer';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const { code } = inner as { code?: string };
  if (code === undefined) return 'connection_failed';
  if (tlsCodes.test(code)) return 'tls';
  return failures[code] ?? (code.startsWith('HPE_') ? 'bad_answer' : 'connection_failed');
}

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

/** The beginning of a body as text that Postgres can store. The rest is not read. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // A body without an encoding yields buffers.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= shownBytes) break;
    }
  } catch {
    // The server ended the answer early. The part that came is shown.
  }
  body.destroy();
  return Buffer.concat(chunks).subarray(0, shownBytes).toString('utf8').replaceAll('\0', '');
}

const isSuccess = (status: number) => status >= 200 && status < 300;
const isRedirect = (status: number) => status >= 300 && status < 400;

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Omit<PostAnswer, 'durationMs'>> {
  const retryAfter = headerOf(headers, 'retry-after');
  if (isSuccess(statusCode)) {
    // The status decides. A body that is long, slow or broken changes nothing.
    await body.dump({ limit: drainedBytes }).catch(() => undefined);
    return { status: statusCode, failure: null, text: null, retryAfter };
  }
  const text = await readBeginning(body);
  return { status: statusCode, failure: isRedirect(statusCode) ? 'redirect' : null, text, retryAfter };
}

const noAnswer = (failure: PostFailure): Omit<PostAnswer, 'durationMs'> => ({
  status: null,
  failure,
  text: null,
  retryAfter: null,
});

/** Throws a TypeError if `url` is no URL. */
export function createPoster(url: string, options: PosterOptions): Poster {
  const { policy, maxConnections, timeoutMs } = options;
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections: maxConnections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: idleMs,
    connect: { timeout: connectMs, lookup: createGuardedLookup(policy, options.lookup) },
  });

  async function ask(headers: Readonly<Record<string, string>>, body: string): Promise<Omit<PostAnswer, 'durationMs'>> {
    // Node looks up names only, so an address in the URL is checked here.
    if (problemOfUrl(url, policy) !== null) return noAnswer('address_not_allowed');
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      const request = { method: 'POST', path: pathname + search, headers, body, signal: limit.signal } as const;
      return await read(await pool.request(request));
    } catch (error) {
      return noAnswer(limit.signal.aborted ? 'timeout' : failureOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async post(headers, body) {
      const startedAt = performance.now();
      const answer = await ask(headers, body);
      return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
    },
    close() {
      pool.destroy().catch(() => undefined);
    },
  };
}
