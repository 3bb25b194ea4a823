/**
 * Signs the jobs in Redis, so that a worker trusts a job only if this installation made it. A signature says who made
 * the job. It does not say that the job is new: a repeated job verifies again. The claim makes a repeat harmless.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Keys } from './keys.js';

export type TicketFields = Readonly<Record<string, string | number | null>>;

// 24 characters of base64url are 144 bits. That is a whole number of bytes, so no spare bit can vary.
const signatureLength = 24;

function isEncodable(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isFinite(value);
}

/** JSON keeps names, types and borders apart. The names are sorted, because Redis may return them in another order. */
function encodeJob(fields: TicketFields): string | null {
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (!isEncodable(value)) return null;
    entries.push([name, value]);
  }
  return JSON.stringify(['kurir-job', entries]);
}

function macJob(encoded: string, key: KeyObject): string {
  return createHmac('sha256', key).update(encoded).digest('base64url').slice(0, signatureLength);
}

/**
 * The signature of a flat record: 24 characters of base64url, 144 bits of HMAC-SHA256 with the internal key.
 * Throws a TypeError that names the field if a value is neither text, a finite number nor null.
 */
export function signTicket(fields: TicketFields, key: KeyObject): string {
  const encoded = encodeJob(fields);
  if (encoded !== null) return macJob(encoded, key);
  const names = Object.keys(fields).filter((name) => !isEncodable(fields[name]));
  throw new TypeError(`A job may hold text, finite numbers and null only; look at: ${names.join(', ')}`);
}

/** Whether `signature` was made from exactly these fields with one of these keys. Takes constant time. Never throws. */
export function verifyTicket(fields: TicketFields, signature: string, keys: Keys): boolean {
  const encoded = encodeJob(fields);
  if (encoded === null) return false;
  const received = Buffer.from(signature, 'utf8');
  if (received.length !== signatureLength) return false;
  return keys.some((key) => timingSafeEqual(Buffer.from(macJob(encoded, key), 'utf8'), received));
}
