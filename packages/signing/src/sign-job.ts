/**
 * Signs what travels through Redis, so that a worker trusts a job only when this installation made it.
 * A signature says who made the job, not that it is new: a repeated job verifies again, the claim makes it harmless.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export type JobFields = Readonly<Record<string, string | number | null>>;

// 24 characters of base64url are 144 bits, a whole number of bytes, so that no spare bits are left to vary.
const signatureLength = 24;

function isEncodable(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isFinite(value);
}

/** JSON keeps names, types and borders apart; sorted names make it one text whatever order Redis gave them back in. */
function encodeJob(fields: JobFields): string | null {
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
 * The signature over a flat record: 24 characters of base64url, 144 bits of HMAC-SHA256 under the internal key.
 * Throws a TypeError that names the field when a value is neither text, a finite number nor null.
 */
export function signJob(fields: JobFields, key: KeyObject): string {
  const encoded = encodeJob(fields);
  if (encoded !== null) return macJob(encoded, key);
  const names = Object.keys(fields).filter((name) => !isEncodable(fields[name]));
  throw new TypeError(`A job may hold text, finite numbers and null only; look at: ${names.join(', ')}`);
}

/** Whether `signature` was made over exactly these fields with this key. Constant time, never throws on rubbish. */
export function verifyJob(fields: JobFields, signature: string, key: KeyObject): boolean {
  const encoded = encodeJob(fields);
  if (encoded === null) return false;
  const received = Buffer.from(signature, 'utf8');
  return received.length === signatureLength && timingSafeEqual(Buffer.from(macJob(encoded, key), 'utf8'), received);
}
