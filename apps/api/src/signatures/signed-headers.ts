/** The headers that scheme 2 signs in addition to the parts of scheme 1 (contract, section 1). */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { SignedHeaders } from '@kurir/signing';
import { asSent } from '../http/request-target.js';

const shownMaxLength = 32;

function readText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? asSent(value) : null;
}

/** Returns the header Idempotency-Key, or null. Scheme 1 does not sign it. If both repeat, the repeated signature decides. */
export const readIdempotencyKey = (headers: IncomingHttpHeaders): string | null => readText(headers, 'idempotency-key');

/**
 * Returns the signed headers of a request of scheme 2, or undefined for scheme 1. Throws 401 for an unknown scheme. Node
 * joins a repeated header with a comma, so it never equals what was signed.
 */
export function readSignedHeaders(headers: IncomingHttpHeaders): SignedHeaders | undefined {
  const version = headers['x-signature-version']?.toString();
  if (version === undefined || version === '1') return undefined;
  if (version === '2')
    return { deviceId: readText(headers, 'x-device-id'), idempotencyKey: readIdempotencyKey(headers) };
  throw new ApiError(
    'INVALID_SIGNATURE',
    `X-Signature-Version is ${JSON.stringify(version.slice(0, shownMaxLength))}. Send exactly 2 for scheme 2, or leave it out for scheme 1.`,
  );
}
