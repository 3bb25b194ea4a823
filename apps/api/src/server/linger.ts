/**
 * Ends the connection of a request that is answered before its body has arrived. Node would read the rest for as long as
 * the sender sends, and copy each byte. A close with unread bytes resets the connection, and the sender may lose the
 * answer (RFC 9112, section 9.6). So the server half-closes, discards a little, and closes soon after.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The rest of a body up to this size is read to its end, so that the connection can serve the next request. */
const smallBodyMaxBytes = 64 * 1024;
/** A lingering connection discards no more. Further bytes stay with the sender. */
const discardMaxBytes = 64 * 1024;
/** A sender that reads while it writes has the answer within one round trip. */
const lingerMs = 2_000;

/** Half-closes after what is written already. Closes when the sender does, or when the time is over. */
export function linger(socket: Socket): void {
  let discardedBytes = 0;
  // The parser must not read on.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > discardMaxBytes) socket.pause();
  });
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** A chunked body does not tell its size. */
function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBodyMaxBytes;
}

/** Lets the connection of a large body end with its answer, unless the whole body is read before. */
export function closeUnlessRead(req: IncomingMessage, res: ServerResponse): void {
  if (!mayBeLarge(req)) return;
  const { socket } = req;
  const { shouldKeepAlive } = res;
  res.shouldKeepAlive = false;
  // Node calls it after the last answer of a connection, and would close with unread bytes.
  socket.destroySoon = () => linger(socket);
  req.once('end', () => {
    res.shouldKeepAlive = shouldKeepAlive;
    Reflect.deleteProperty(socket, 'destroySoon');
  });
}
