/** The two envelopes, exactly as the contract has them, and nothing else. */
import type { ServerResponse } from 'node:http';
import type { ApiError, ErrorEnvelope, SuccessEnvelope } from '@kurir/contracts';

/** What an answer is written to: node's own, or one that gathers its headers. */
export type HttpAnswer = {
  /** One that gathers its headers keeps both of two with one name. */
  setHeader(name: string, value: string): unknown;
  /** `headers`: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown;
  end(text: string): unknown;
};

/** An answer whose headers are one list until it is written: node copies such a list to the wire as it is. */
export class GatheredAnswer implements HttpAnswer {
  readonly #res: ServerResponse;
  readonly #headers: string[];

  /** `headers`: those that it has from the start; name, value, name, value. */
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
  writeJson(answer, error.status, errorEnvelope(error));
}
