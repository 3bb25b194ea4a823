/**
 * A WebSocket that is refused with an HTTP answer: by an edge in front of the network that blocks an address, wants it
 * to slow down, or has no room. Baileys 7.0.0-rc14 listens to that answer, and so keeps `ws` from giving up.
 */
import type { IncomingMessage } from 'node:http';
import type { WASocket } from 'baileys';

const TOO_MANY_REQUESTS = 429;
/** How the network itself says that it has no room. The status of an edge says nothing of the account: 403 is no ban. */
const UNAVAILABLE = 503;

/** In the shape in which Baileys says why a connection ended. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly output: { readonly statusCode: number };
  readonly data: { readonly retryAfter: string | undefined };

  constructor(status: number | undefined, retryAfter: string | undefined) {
    super(`the network refused the connection with status ${status ?? 'none'}`);
    this.output = { statusCode: status === TOO_MANY_REQUESTS ? TOO_MANY_REQUESTS : UNAVAILABLE };
    this.data = { retryAfter };
  }
}

export function onRefusedUpgrade(socket: WASocket, refused: (error: UpgradeRefused) => void): void {
  socket.ws.on('unexpected-response', (_request: unknown, response: IncomingMessage) => {
    // Nobody reads the body, however long it is.
    response.destroy();
    refused(new UpgradeRefused(response.statusCode, response.headers['retry-after']));
  });
}
