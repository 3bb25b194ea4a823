/** The HTTP server for the operations and the Express app. On shutdown it lets requests in flight finish. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';
import { GatheredAnswer } from '../http/answer.js';
import { answerThrown } from '../http/answer-failure.js';
import { openTrace } from '../http/request-trace.js';
import type { Api } from '../operations/api.js';
import { answerBrokenRequests } from './answer-broken-request.js';
import { createApp } from './app.js';
import { limitConnections } from './limit-connections.js';
import { closeUnlessRead } from './linger.js';
import { createOperationListener } from './serve-operations.js';

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Time for the largest bulk over a slow line. */
  requestTimeout: 60_000,
  /** A slow request lives at most this much longer than its time. */
  connectionsCheckingInterval: 2_000,
  /** Longer than the idle timeout of common load balancers, so that they close a connection first. */
  keepAliveTimeout: 75_000,
  /** `require-host.ts` refuses a missing Host. */
  requireHostHeader: false,
} as const;

const maxHeaders = 100;
const idleCheckMs = 50;
/** Connections that wait to be accepted. A burst of more would make everybody else try again after a second. */
const backlog = 4_096;

/** `rawHeaders` lists names and values in turn. */
const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * maxHeaders;

function refuseHeaders(logger: Logger, req: IncomingMessage, res: ServerResponse): void {
  const trace = openTrace(logger, req, res);
  const error = new ApiError('HEADERS_TOO_LARGE', `Send at most ${maxHeaders} headers.`);
  answerThrown(logger, error, { res, answer: new GatheredAnswer(res, ['X-Request-Id', trace.id]), trace });
}

/** Makes the server, which does not listen yet. */
export function createHttpServer(api: Api): Server {
  const app = createApp(api);
  const serveOperation = createOperationListener(api);
  const serve: RequestListener = (req, res) => {
    // So that a proxy keeps no connection to an api that ends.
    if (api.draining.begun) res.shouldKeepAlive = false;
    closeUnlessRead(req, res);
    if (hasTooManyHeaders(req)) return refuseHeaders(api.logger, req, res);
    if (!serveOperation(req, res)) app(req, res);
  };
  const server = createServer(limits, serve);
  // Node would drop the headers beyond its limit without a word. `serve` counts them instead; their bytes are limited.
  server.maxHeadersCount = 0;
  // Node would answer an unknown Expect itself, without our envelope.
  server.on('checkExpectation', serve);
  answerBrokenRequests(server, api.logger);
  limitConnections(server, api);
  return server;
}

/** Resolves with the port when the server listens. Port 0 means any free port. */
export async function listen(
  server: Server,
  options: { readonly port: number; readonly host: string },
): Promise<number> {
  server.listen({ ...options, backlog });
  await once(server, 'listening');
  // The address of a listening TCP server has a port.
  return (server.address() as AddressInfo).port;
}

/** Accepts no new connections and lets requests in flight finish. Closes all connections after `maxMs`. */
export async function stopListening(server: Server, maxMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // Node would keep a connection alive that becomes idle after `close`.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const last = setTimeout(() => server.closeAllConnections(), maxMs);
  await closed;
  clearInterval(idle);
  clearTimeout(last);
}
