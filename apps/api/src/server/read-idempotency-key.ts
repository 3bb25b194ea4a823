import type { IncomingHttpHeaders } from 'node:http';
import { asSent } from '../http/request-target.js';

/** The Idempotency-Key header, or null. It is not signed: a repeat of a signature is found first. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' ? asSent(value) : null;
}
