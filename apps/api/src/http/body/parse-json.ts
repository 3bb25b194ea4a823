import { isUtf8 } from 'node:buffer';
import { ApiError, limits } from '@kurir/contracts';
import { checkJsonShape } from './check-json-shape.js';

const json = /^application\/json\s*(;|$)/i;
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i;

/** Throws 415 unless the content type is JSON in UTF-8. */
export function requireJson(contentType: string | undefined): void {
  if (contentType !== undefined && json.test(contentType) && !otherCharset.test(contentType)) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json, in UTF-8.');
}

/** Parses strict UTF-8 and JSON, or throws 400. The parser's own message repeats the text, so nobody gets it. */
export function parseJson(raw: Buffer, maxBodyBytes: number = limits.bodyMaxBytes): unknown {
  if (!isUtf8(raw)) throw new ApiError('MALFORMED_REQUEST', 'The body is not valid UTF-8. Encode it in UTF-8.');
  checkJsonShape(raw, maxBodyBytes);
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new ApiError(
      'MALFORMED_REQUEST',
      raw.length === 0
        ? 'The body is empty. Send one JSON object.'
        : 'The body is not valid JSON. Send one JSON object.',
    );
  }
}
