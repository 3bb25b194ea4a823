import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.js';

const MAX_BODY_BYTES = 64 * 1024;

/** The JSON of the request; undefined when there is no body. Throws a `RequestError` with 413 or 422. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // Without an encoding, the chunks of the stream are buffers.
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new RequestError(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw Object.assign(new RequestError(422, 'the body is not JSON'), { cause });
  }
}
