/** Computes the gateway's signature in the page, so that a typed secret does not leave the page. */

const encoder = new TextEncoder();

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

export type SignedParts = {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly body: string;
};

export const bodyHash = async (body: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(body)));

export async function stringToSign({ method, target, timestamp, body }: SignedParts): Promise<string> {
  return `${method}:${target}:${timestamp}:${await bodyHash(body)}`;
}

export async function signatureOf(text: string, secret: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}
