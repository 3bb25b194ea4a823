import type { IncomingHttpHeaders } from 'node:http';
import { asSent } from '../http/request-target.js';

/** Returns the header Idempotency-Key, or null. It is not signed, so a repeated signature counts before it. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' ? asSent(value) : null;
}
