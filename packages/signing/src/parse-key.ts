import { createSecretKey, type KeyObject } from 'node:crypto';

export const keyBytes = 32;
const howToMake = 'make one with: openssl rand -base64 32';

/**
 * Returns the 256-bit key of a base64 text. A KeyObject prints as an opaque object, so a log line does not show the
 * key.
 * Throws an Error that says what is wrong with the text and contains no part of it.
 */
export function parseKey(base64: string): KeyObject {
  if (base64 === '') throw new Error(`The key is empty; ${howToMake}`);
  if (base64 !== base64.trim()) throw new Error('The key has white space or a line break around it; remove it.');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new Error(`The key holds characters that are not base64 (A-Z a-z 0-9 + / and = at its end); ${howToMake}`);
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== keyBytes) throw new Error(`The key is ${bytes.length} bytes, not ${keyBytes}; ${howToMake}`);
  return createSecretKey(bytes);
}
