const sha256Digits = /^[0-9a-fA-F]{64}$/;

/**
 * Returns the 32 bytes of a signature in hex, upper or lower case. Returns null for any other text. Never throws.
 * The gateway finds repeats by these bytes. So the same signature in upper case is no second signature.
 */
export function decodeSignature(hex: string): Buffer<ArrayBuffer> | null {
  return sha256Digits.test(hex) ? Buffer.from(hex, 'hex') : null;
}
