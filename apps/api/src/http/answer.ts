/** Writes the two envelopes of the contract. */
import type { ServerResponse } from 'node:http';
import {
  type ApiError,
  type ErrorEnvelope,
  invalidFieldHeader,
  type SuccessEnvelope,
  writeFault,
} from '@kurir/contracts';

/** Takes an answer. Node's `ServerResponse` and `GatheredAnswer` implement it. */
export type HttpAnswer = {
  /** `GatheredAnswer` keeps both headers if it gets two of one name. */
  setHeader(name: string, value: string): unknown;
  /** `headers` is a flat list: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown;
  end(text: string): unknown;
};

/** Gathers the headers in one flat list, because Node copies such a list to the wire as it is. */
export class GatheredAnswer implements HttpAnswer {
  readonly #res: ServerResponse;
  readonly #headers: string[];

  /** `headers` is the flat list that it begins with. */
  constructor(res: ServerResponse, headers: string[]) {
    this.#res = res;
    this.#headers = headers;
  }

  setHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  writeHead(status: number, headers: string[]): void {
    this.#headers.push(...headers);
    this.#res.writeHead(status, this.#headers);
  }

  end(text: string): void {
    this.#res.end(text);
  }
}

function writeJson(answer: HttpAnswer, status: number, body: object): void {
  const text = JSON.stringify(body);
  answer.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Cache-Control',
    'no-store',
  ]);
  answer.end(text);
}

export function answerSuccess(answer: HttpAnswer, message: string, data: object): void {
  const envelope: SuccessEnvelope<object> = { success: true, message, data };
  writeJson(answer, 200, envelope);
}

export function errorEnvelope(error: ApiError): ErrorEnvelope {
  return { success: false, code: error.code, error: error.message };
}

export function answerError(answer: HttpAnswer, error: ApiError): void {
  if (error.retryAfterSeconds !== undefined) answer.setHeader('Retry-After', String(error.retryAfterSeconds));
  if (error.fault !== undefined) answer.setHeader(invalidFieldHeader, writeFault(error.fault));
  writeJson(answer, error.status, errorEnvelope(error));
}
