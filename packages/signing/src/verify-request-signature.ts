/**
 * Says which of a key's live secrets signed a request. Assumes that the raw body was hashed before it was parsed.
 * It knows no clock (`checkTimestamp`) and no memory: the same request verifies again, repeats are the caller's to find.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { decodeSignature } from './decode-signature.js';
import { type SignedParts, stringToSign } from './sign-request.js';

export type RequestToVerify = SignedParts & {
  /** `sha256Hex` of the raw body, computed here, never taken from the request. */
  bodySha256: string;
  /** The text of X-Signature, as it came. */
  signature: string;
  /** The key's live secrets. For an unknown key pass `[]`: it costs as much as one wrong secret and never matches. */
  secrets: readonly string[];
};

// Known to nobody and never answered for; it only makes an unknown key cost what a known one does.
const dummySecrets = [randomBytes(32).toString('base64url')];

/**
 * The index of the secret that matches, or null. Every secret is tried, whichever matches; the digests are compared as
 * bytes in constant time, after their length. Upper-case hex is accepted. Never throws, whatever the texts hold.
 */
export function verifyRequestSignature(request: RequestToVerify): number | null {
  const received = decodeSignature(request.signature);
  if (received === null) return null;
  // With a colon in one of these, text could move over a field's border without changing the signed line.
  if (request.method.includes(':') || request.timestamp.includes(':')) return null;

  const text = stringToSign(request);
  const known = request.secrets.length > 0;
  let matched: number | null = null;
  for (const [index, secret] of (known ? request.secrets : dummySecrets).entries()) {
    const expected = createHmac('sha256', secret).update(text).digest();
    if (timingSafeEqual(expected, received)) matched ??= index;
  }
  return known ? matched : null;
}
