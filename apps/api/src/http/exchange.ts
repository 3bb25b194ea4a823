/** One request of an operation and its answer, whether a key or a person asks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseInput } from '@kurir/contracts';
import proxyAddress from 'proxy-addr';
import type { z } from 'zod';
import type { HttpAnswer } from './answer.js';
import { parseJson, requireJson } from './parse-json.js';
import { queryOf } from './request-target.js';
import type { RequestTrace } from './request-trace.js';

export type Exchange = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly answer: HttpAnswer;
  readonly trace: RequestTrace;
  /** Decoded, by the names in the operation's path. */
  readonly params: Readonly<Record<string, string>>;
};

/** Serves one request; what it throws becomes the answer (answer-failure.ts). */
export type Serve = (exchange: Exchange) => Promise<void>;

/** What a file or a stream of events is written to: `answer.writeHead` first, then `res`. */
export type StreamedAnswer = Pick<Exchange, 'answer' | 'res'>;

/** The caller's address as the outermost of our own proxies saw it. */
export const addressOf = (req: IncomingMessage, trustedProxies: number) =>
  proxyAddress(req, (_address, hop) => hop < trustedProxies);

type Schemas = { readonly body: z.ZodType | null; readonly query: z.ZodType | null };

/** Body and query as the operation declares them, null where it has none; or 400, 415, 422. */
export function parseRequest({ body, query }: Schemas, req: IncomingMessage, raw: Buffer) {
  if (body !== null) requireJson(req.headers['content-type']);
  return {
    body: body === null ? null : parseInput(body, parseJson(raw)),
    query: query === null ? null : parseInput(query, queryOf(req.url ?? ''), 'the query'),
  };
}
