/**
 * Takes the calls of a bot, in the peer's form. It listens on loopback and signs every call that it accepts. So it refuses
 * what a browser sends, which could come from any page, and any other name of this machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KurirConnectionError, KurirError, KurirUsageError } from '../../calls/errors.js';
import { isFields } from './fields.js';
import { badRequest, type Peer, type PeerCall, PeerRefusal, type PeerSetup } from './peer.js';

const maxBodyBytes = 262_144;

export type BridgeServerOptions = {
  readonly peer: Peer;
  readonly setup: PeerSetup;
  readonly host: string;
  readonly port: number;
  /** How long calls in flight may take when the server closes. The rest is cut. */
  readonly finishMs: number;
  /** Carries a call out and returns the answer to the bot. */
  readonly carryOut: (call: PeerCall, ref: string | null) => Promise<object>;
  readonly onCall: (call: { path: string; status: number; error: string | null }) => void;
};

export type BridgeServer = {
  readonly url: string;
  /** Takes no more calls, and resolves when those in flight have their answers. */
  close(): Promise<void>;
};

export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The name that the caller used. A page that rebinds its own name to this machine would show that name here. */
function nameOf({ headers }: IncomingMessage): string {
  const url = `http://${headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
}

function guard(request: IncomingMessage, { peer, host, setup: { key } }: BridgeServerOptions): void {
  const { headers } = request;
  if (isLoopback(host) && !isLoopback(nameOf(request)))
    throw new PeerRefusal(403, 'FORBIDDEN', 'Call this bridge as localhost or 127.0.0.1.');
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new PeerRefusal(403, 'FORBIDDEN', 'This bridge takes no calls from a browser.');
  if (key !== null && !timingSafeEqual(digest(peer.keyOf(headers)), digest(key)))
    throw new PeerRefusal(401, 'UNAUTHORIZED', 'The key of this call is not the KURIR_BRIDGE_KEY of the bridge.');
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new PeerRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send JSON, with Content-Type: application/json.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  if (bytes > maxBodyBytes) throw new PeerRefusal(413, 'PAYLOAD_TOO_LARGE', 'The body is too large.');
  return parseBody(Buffer.concat(chunks).toString('utf8'));
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Answered below.
  }
  throw badRequest('The body must be a JSON object.');
}

/** The refusal of the gateway, or of the bridge, as the bot gets it. */
function refusalOf(error: unknown): PeerRefusal {
  if (error instanceof PeerRefusal) return error;
  if (error instanceof KurirError) return new PeerRefusal(error.status, error.code, error.message);
  if (error instanceof KurirUsageError) return badRequest(error.message);
  if (error instanceof KurirConnectionError) return new PeerRefusal(503, 'SERVICE_UNAVAILABLE', error.message);
  return new PeerRefusal(500, 'INTERNAL_ERROR', 'The bridge failed. Its output says more.');
}

async function answer(request: IncomingMessage, path: string, options: BridgeServerOptions) {
  const { peer, setup, carryOut } = options;
  guard(request, options);
  for (const route of peer.routes) {
    const match = route.path.exec(path);
    if (match === null) continue;
    if (request.method !== 'POST') throw new PeerRefusal(405, 'METHOD_NOT_ALLOWED', 'Use POST.');
    const call = route.read({ path: { ...match.groups }, body: await readBody(request) }, setup);
    const ref = request.headers['idempotency-key'];
    return { status: route.status, body: await carryOut(call, typeof ref === 'string' ? ref : null), error: null };
  }
  throw new PeerRefusal(404, 'NOT_FOUND', `The bridge has no ${path}. The page docs/moving-in.md lists its calls.`);
}

async function handle(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  options: BridgeServerOptions,
) {
  const path = (request.url ?? '/').replace(/\?.*$/s, '');
  const { status, body, error } = await answer(request, path, options).catch((cause: unknown) => {
    const refusal = refusalOf(cause);
    const error = refusal.status === 500 && cause instanceof Error ? (cause.stack ?? '') : refusal.message;
    return { status: refusal.status, body: options.peer.refuse(refusal), error };
  });
  options.onCall({ path, status, error });
  // The server closes when its last connection does.
  if (!server.listening) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Rejects with the error of the system if the port is taken. */
export async function startBridgeServer(options: BridgeServerOptions): Promise<BridgeServer> {
  const server = createServer((request, response) => {
    handle(server, request, response, options).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.requestTimeout = 60_000;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A TCP server has an address object. Only a pipe has a text.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const patience = setTimeout(() => server.closeAllConnections(), options.finishMs);
      await closed;
      clearTimeout(patience);
    },
  };
}
