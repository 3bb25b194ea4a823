/**
 * Signs a request to the gateway (contract, section 1). Pure: the same input gives the same signature.
 *
 *   scheme 1     = METHOD ":" TARGET ":" TIMESTAMP ":" BODY_HASH
 *
 *   scheme 2     = "v2:" METHOD ":" TARGET ":" TIMESTAMP ":" DEVICE_ID ":" KEY_HASH ":" BODY_HASH
 *
 *   X-Signature  = lowerhex(hmac_sha256(UTF-8 bytes of the secret as shown, scheme 1 or 2))
 *
 * BODY_HASH is lowerhex(sha256(raw body)). KEY_HASH is that of Idempotency-Key, or of the empty text.
 */
import { createHmac, hash } from 'node:crypto';

/**
 * The two headers that scheme 2 signs as well. Both change what a request does. Null: the request has no such header.
 */
export type SignedHeaders = {
  deviceId: string | null;
  /** The text of Idempotency-Key. Its SHA-256 is signed, because the text may contain colons. */
  idempotencyKey: string | null;
};

/** The signed parts except the body, exactly as they are sent. Nothing is sorted, decoded or changed in case. */
export type SignedParts = {
  /** Upper case, as HTTP sends it. */
  method: string;
  /** The public path, with `?query` if there is one. Percent-encoded, so ASCII. */
  target: string;
  /** The text of X-Timestamp: decimal unix seconds (10 digits) or milliseconds (13). */
  timestamp: string;
  /** Present in scheme 2 only. Then the request needs the header X-Signature-Version: 2. */
  signedHeaders?: SignedHeaders | undefined;
};

export type RequestToSign = SignedParts & {
  /** The bytes that are sent. A text means its UTF-8 bytes. `''` means no body. */
  body: string | Uint8Array;
  secret: string;
};

/** SHA-256 as 64 lower-case hex digits. Text is hashed as UTF-8. Never fails. */
export function sha256Hex(body: string | Uint8Array): string {
  return hash('sha256', body, 'hex');
}

/** The one line that is signed. `bodySha256` is `sha256Hex` of the raw body, even of an empty one. */
export function stringToSign(parts: SignedParts & { bodySha256: string }): string {
  const { method, target, timestamp, bodySha256, signedHeaders } = parts;
  if (signedHeaders === undefined) return `${method}:${target}:${timestamp}:${bodySha256}`;
  const keySha256 = sha256Hex(signedHeaders.idempotencyKey ?? '');
  return `v2:${method}:${target}:${timestamp}:${signedHeaders.deviceId ?? ''}:${keySha256}:${bodySha256}`;
}

/**
 * The value of X-Signature: 64 lower-case hex digits. It checks nothing. A wrong part leads to a 401 of the gateway.
 */
export function signRequest(request: RequestToSign): string {
  const text = stringToSign({ ...request, bodySha256: sha256Hex(request.body) });
  return createHmac('sha256', request.secret).update(text).digest('hex');
}
