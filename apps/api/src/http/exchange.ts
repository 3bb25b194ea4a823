/** One request of an operation and its answer, for keys and for people. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseInput } from '@kurir/contracts';
import type { z } from 'zod';
import type { HttpAnswer } from './answer.js';
import { parseJson, requireJson } from './body/parse-json.js';
import { queryOf } from './request-target.js';
import type { RequestTrace } from './request-trace.js';

export type Exchange = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly answer: HttpAnswer;
  readonly trace: RequestTrace;
  /** The decoded parameters of the operation's path, by name. */
  readonly params: Readonly<Record<string, string>>;
};

/** Serves one request. `answer-failure.ts` turns its error into the answer. */
export type Serve = (exchange: Exchange) => Promise<void>;

/** Takes a file or a stream of events: write the head to `answer` first, then the body to `res`. */
export type StreamedAnswer = Pick<Exchange, 'answer' | 'res'> & { readonly trace: Pick<RequestTrace, 'isStream'> };

type Schemas = {
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly maxBodyBytes?: number;
};

/** Returns body and query as the operation declares them, or null if it declares none. Throws 400, 415 or 422. */
export function parseRequest({ body, query, maxBodyBytes }: Schemas, req: IncomingMessage, raw: Buffer) {
  if (body !== null) requireJson(req.headers['content-type']);
  return {
    body: body === null ? null : parseInput(body, parseJson(raw, maxBodyBytes)),
    query: query === null ? null : parseInput(query, queryOf(req.url ?? ''), 'the query'),
  };
}
