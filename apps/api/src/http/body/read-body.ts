/** Reads the raw bytes of a body, up to the limit of the operation. A larger body is refused at once. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { BodyBudget, BodyReservation } from './body-budget.js';

/** The sender left before its request was complete. Nobody is there to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const nothing = Buffer.alloc(0);

/** Node needs about this much memory for each chunk, however short. */
const chunkMinBytes = 512;

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

function gather(req: IncomingMessage, maxBytes: number, reservation: BodyReservation): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let heldBytes = 0;
    let isRefused = false;
    const refuse = (error: Error) => {
      isRefused = true;
      chunks.length = 0;
      reject(error);
    };
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (isRefused) return;
      if (bytes > maxBytes) return refuse(tooLarge(maxBytes));
      heldBytes += Math.max(chunk.length, chunkMinBytes);
      const refusal = reservation.growTo(heldBytes);
      if (refusal !== null) return refuse(refusal);
      chunks.push(chunk);
    });
    const fail = () => {
      // Node emits `close` after a complete request, too.
      if (!req.readableEnded) reject(new ClientGone('the request ended early'));
    };
    req.once('end', () => {
      resolve(Buffer.concat(chunks));
      chunks.length = 0;
    });
    req.once('error', fail);
    req.once('close', fail);
  });
}

/** Rejects with 413 or 415 what the headers already rule out. */
function checkDeclaredBody(req: IncomingMessage, maxBytes: number): void {
  refuseEncoding(req);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Resolves with the raw body, empty if there is none. Rejects with 413, 415, 429, 503 or `ClientGone`. The caller releases
 * `reservation` when it needs the body no more.
 */
export async function readBody(req: IncomingMessage, maxBytes: number, reservation: BodyReservation): Promise<Buffer> {
  checkDeclaredBody(req, maxBytes);
  // `close` does not come again for a sender who left while the key was looked up.
  if (req.destroyed) throw new ClientGone('the request ended early');
  return hasBody(req) ? gather(req, maxBytes, reservation) : nothing;
}

/** The same for a small body that is read before anybody is known. `caller` is the network of the sender. */
export async function readSmallBody(
  req: IncomingMessage,
  maxBytes: number,
  { bodies, caller }: { readonly bodies: BodyBudget; readonly caller: string },
): Promise<Buffer> {
  const reservation = bodies.open(caller);
  try {
    return await readBody(req, maxBytes, reservation);
  } finally {
    reservation.release();
  }
}
