/** Signs a request in the page, by scheme 2 of `packages/signing`. The secret does not leave the page. */

const encoder = new TextEncoder();

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (text: string) => hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

export type Signed = {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly timestamp: string;
  readonly deviceId: string;
  readonly idempotencyKey: string;
  readonly body: string;
};

export async function signatureOf(signed: Signed, secret: string): Promise<string> {
  const { method, target, timestamp, deviceId, idempotencyKey, body } = signed;
  const hashes = [await sha256(idempotencyKey), await sha256(body)];
  const text = ['v2', method, target, timestamp, deviceId, ...hashes].join(':');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}
