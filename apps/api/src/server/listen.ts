/** The HTTP server around the operations and the Express app: its limits, and its end, which lets running requests finish. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from '../operations/api.js';
import { answerBrokenRequests } from './answer-broken-request.js';
import { createApp } from './app.js';
import { createOperationListener } from './serve-operations.js';

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  /** Longer than the idle time of common load balancers, so that they close first. */
  keepAliveTimeout: 75_000,
  /** The app refuses a missing Host itself. */
  requireHostHeader: false,
} as const;

const maxHeaders = 100;
const idleCheckMs = 50;

/** An HTTP server that answers everything in the api's envelope, not listening yet. */
export function createHttpServer(api: Api): Server {
  const app = createApp(api);
  const serveOperation = createOperationListener(api);
  const serve: RequestListener = (req, res) => {
    if (!serveOperation(req, res)) app(req, res);
  };
  const server = createServer(limits, serve);
  server.maxHeadersCount = maxHeaders;
  // Node would answer an Expect that it does not know by itself, without our envelope.
  server.on('checkExpectation', serve);
  answerBrokenRequests(server, api.logger);
  return server;
}

/** Resolves with the port once it listens; 0 takes any free one. */
export async function listen(
  server: Server,
  options: { readonly port: number; readonly host: string },
): Promise<number> {
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port;
}

/** Takes no new connection, lets running requests finish, and cuts off what is left after `maxMs`. */
export async function stopListening(server: Server, maxMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that becomes idle only now would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const last = setTimeout(() => server.closeAllConnections(), maxMs);
  await closed;
  clearInterval(idle);
  clearTimeout(last);
}
