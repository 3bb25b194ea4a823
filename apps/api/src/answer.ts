/** The two envelopes, exactly as the contract has them, and nothing else. */
import type { ServerResponse } from 'node:http';
import type { ApiError, ErrorEnvelope, SuccessEnvelope } from '@kurir/contracts';

function writeJson(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}

export function answerSuccess(res: ServerResponse, message: string, data: object): void {
  const envelope: SuccessEnvelope<object> = { success: true, message, data };
  writeJson(res, 200, envelope);
}

export function errorEnvelope(error: ApiError): ErrorEnvelope {
  return { success: false, code: error.code, error: error.message };
}

export function answerError(res: ServerResponse, error: ApiError): void {
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
  writeJson(res, error.status, errorEnvelope(error));
}
