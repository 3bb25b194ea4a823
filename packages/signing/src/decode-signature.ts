const sha256Digits = /^[0-9a-fA-F]{64}$/;

/**
 * The 32 bytes of a signature in hex of either case, or null for any other text. Never throws.
 * Exact repeats are found by these bytes, so that upper case is no second signature.
 */
export function decodeSignature(hex: string): Buffer<ArrayBuffer> | null {
  return sha256Digits.test(hex) ? Buffer.from(hex, 'hex') : null;
}
