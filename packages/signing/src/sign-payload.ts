/** Callbacks between servers, such as the sandbox payment provider's: HMAC-SHA256 over `timestamp.body`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkTimestamp } from './check-timestamp.js';
import { decodeSignature } from './decode-signature.js';

export type PayloadToVerify = {
  secret: string;
  /** Unix seconds (10 digits) or milliseconds (13), as it came. */
  timestamp: string;
  /** The raw body, before it is parsed. */
  body: string | Uint8Array;
  signature: string;
  nowMs: number;
  /** How far the timestamp may lie on either side of now; 300 when not given. */
  toleranceSeconds?: number;
};

function macPayload(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** 64 lower-case hex digits. `timestamp` is decimal unix seconds or milliseconds, and travels beside the body. */
export function signPayload(secret: string, timestamp: string, body: string | Uint8Array): string {
  return macPayload(secret, timestamp, body).toString('hex');
}

/**
 * Whether the payload is this secret's and recent. Constant time, never throws on rubbish.
 * The same payload verifies again inside the tolerance: who receives it must bear repeats.
 */
export function verifyPayload(payload: PayloadToVerify): boolean {
  const tolerance = payload.toleranceSeconds ?? 300;
  const window = { maxPastSeconds: tolerance, maxFutureSeconds: tolerance };
  if (checkTimestamp(payload.timestamp, payload.nowMs, window).outcome !== 'ok') return false;
  const received = decodeSignature(payload.signature);
  return received !== null && timingSafeEqual(macPayload(payload.secret, payload.timestamp, payload.body), received);
}
