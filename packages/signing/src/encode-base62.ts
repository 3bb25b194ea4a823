const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Big-endian base62. The width depends only on the number of bytes, so leading zeros stay (32 bytes: 43 characters).
 */
export function encodeBase62(bytes: Uint8Array): string {
  const width = Math.ceil((bytes.length * 8) / Math.log2(62));
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < width; i++, rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
