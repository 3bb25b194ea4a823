/** Signs callbacks between servers, such as those of the sandbox payment provider: HMAC-SHA256 of `timestamp.body`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkTimestamp } from './check-timestamp.js';
import { decodeSignature } from './decode-signature.js';

export type PayloadToVerify = {
  secret: string;
  /** Unix seconds (10 digits) or milliseconds (13), as received. */
  timestamp: string;
  /** The raw body, before it is parsed. */
  body: string | Uint8Array;
  signature: string;
  nowMs: number;
  /** How far the timestamp may differ from now, in either direction. Default 300. */
  toleranceSeconds?: number;
};

function macPayload(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/**
 * Returns 64 lower-case hex digits. `timestamp` is decimal unix seconds or milliseconds. Send it along with the body.
 */
export function signPayload(secret: string, timestamp: string, body: string | Uint8Array): string {
  return macPayload(secret, timestamp, body).toString('hex');
}

/**
 * Whether the payload was signed with this secret and is recent. Takes constant time. Never throws.
 * The same payload verifies again within the tolerance, so the receiver must accept repeats.
 */
export function verifyPayload(payload: PayloadToVerify): boolean {
  const tolerance = payload.toleranceSeconds ?? 300;
  const window = { maxPastSeconds: tolerance, maxFutureSeconds: tolerance };
  if (checkTimestamp(payload.timestamp, payload.nowMs, window).outcome !== 'ok') return false;
  const received = decodeSignature(payload.signature);
  return received !== null && timingSafeEqual(macPayload(payload.secret, payload.timestamp, payload.body), received);
}
