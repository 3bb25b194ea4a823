/**
 * Says which live secret of a key signed a request. The caller must hash the raw body before parsing it.
 * This function knows no clock (`checkTimestamp` does) and no history. The same request verifies again, so the caller
 * must find repeats.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { decodeSignature } from './decode-signature.js';
import { type SignedParts, stringToSign } from './sign-request.js';

export type RequestToVerify = SignedParts & {
  /** `sha256Hex` of the raw body. Compute it; never take it from the request. */
  bodySha256: string;
  /** The text of X-Signature, as received. */
  signature: string;
  /**
   * The live secrets of the key. For an unknown key pass `[]`: it takes as long as one wrong secret and never matches.
   */
  secrets: readonly string[];
};

// Nobody knows this secret, and it never matches. It makes an unknown key take as long as a known one.
const dummySecrets = [randomBytes(32).toString('base64url')];

/**
 * With a colon in another part than the target, text could move across the border between two parts without a change of
 * the signed line. With the method `v2`, a line of scheme 2 would be one of scheme 1 as well.
 */
function hasFixedBorders({ method, timestamp, signedHeaders }: SignedParts): boolean {
  const deviceId = signedHeaders?.deviceId ?? '';
  return ![method, timestamp, deviceId].some((part) => part.includes(':')) && method !== 'v2';
}

/**
 * Returns the index of the secret that matches, or null. It tries every secret, even after a match. It compares the
 * digests as bytes in constant time, after their length. It accepts upper-case hex and never throws.
 */
export function verifyRequestSignature(request: RequestToVerify): number | null {
  const received = decodeSignature(request.signature);
  if (received === null) return null;
  if (!hasFixedBorders(request)) return null;

  const text = stringToSign(request);
  const known = request.secrets.length > 0;
  let matched: number | null = null;
  for (const [index, secret] of (known ? request.secrets : dummySecrets).entries()) {
    const expected = createHmac('sha256', secret).update(text).digest();
    if (timingSafeEqual(expected, received)) matched ??= index;
  }
  return known ? matched : null;
}
