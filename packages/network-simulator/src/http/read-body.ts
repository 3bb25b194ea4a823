import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.js';

const MAX_BODY_BYTES = 64 * 1024;
const isJson = /^application\/json(;|$)/i;

/** The JSON of the request; undefined when there is no body. Throws a `RequestError` with 413, 415 or 422. */
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
  // Without this header a browser would send the body of a page of another site without asking first.
  if (!isJson.test(request.headers['content-type'] ?? '')) throw new RequestError(415, 'send application/json');
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw Object.assign(new RequestError(422, 'the body is not JSON'), { cause });
  }
}
