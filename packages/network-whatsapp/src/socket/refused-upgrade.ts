/**
 * Ends the connection when an HTTP response refuses the WebSocket. An edge server in front of the network sends one to
 * block an address, to slow it down, or because it is full. Baileys 7.0.0-rc14 listens to that response, which keeps
 * `ws` from giving up.
 */
import type { IncomingMessage } from 'node:http';
import type { WASocket } from 'baileys';

const TOO_MANY_REQUESTS = 429;
/**
 * The network's own code for a full server. The status of an edge server says nothing about the account: its 403 is no
 * ban.
 */
const UNAVAILABLE = 503;

/** In the shape of the errors with which Baileys ends a connection. */
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
    // Nobody reads the body, so that a long one costs nothing.
    response.destroy();
    refused(new UpgradeRefused(response.statusCode, response.headers['retry-after']));
  });
}
