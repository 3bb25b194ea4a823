/**
 * Reads the raw bytes of a body, up to the limit of the operation. A larger body is refused at once, and its rest is
 * discarded as it arrives, so that the sender can still read the refusal.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';

/** The sender left before its request was complete. Nobody is there to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const nothing = Buffer.alloc(0);

/** A sender that sends more than this after its refusal is disconnected. */
const discardMaxBytes = 64 * 1024 * 1024;

function refuseEncoding(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'];
  if (encoding === undefined || encoding.trim() === '' || encoding.trim().toLowerCase() === 'identity') return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported. Send the body uncompressed.');
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes. Send less at once.`);
}

function hasBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': chunked } = req.headers;
  return chunked !== undefined || (length !== undefined && length !== '0');
}

function gather(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      reject(tooLarge(maxBytes));
      if (bytes > maxBytes + discardMaxBytes) req.destroy();
    });
    const fail = () => {
      // Node emits `close` after a complete request, too.
      if (!req.readableEnded) reject(new ClientGone('the request ended early'));
    };
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', fail);
    req.once('close', fail);
  });
}

/** Resolves with the raw body, empty if there is none. Rejects with 413, 415 or `ClientGone`. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseEncoding(req);
  if (!hasBody(req)) return nothing;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return gather(req, maxBytes);
}
