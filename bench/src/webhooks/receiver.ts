/**
 * The customer's program: takes the posts of webhooks and notes when each arrived. It is a process of its own, so that
 * its work delays nobody's clock.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequests } from '../processes/answer-requests.js';

/** A path, the id of an event, and the unix milliseconds of its first post. */
export type Arrival = readonly [path: string, eventId: string, at: number];

/** Posts to these paths are not counted. Null: no path behaves so. */
export type Trouble = {
  /** The receiver closes each connection without an answer. */
  readonly dead: string | null;
  /** The receiver answers after a long time. */
  readonly slow: string | null;
};

export type Counted = { readonly taken: number; readonly firstAt: number; readonly lastAt: number };

export type ReceiverRequest =
  | { readonly kind: 'listen' | 'forget' | 'count' | 'arrivals' }
  | ({ readonly kind: 'trouble' } & Trouble);

/** Less than the time that a webhook has for its answer. */
const slowAnswerMs = 10_000;

let trouble: Trouble = { dead: null, slow: null };
const arrivals = new Map<string, Arrival>();
let [firstAt, lastAt] = [Number.NaN, Number.NaN];

function note(path: string, eventId: string): void {
  const at = Date.now();
  const key = `${path} ${eventId}`;
  if (arrivals.has(key)) return;
  if (arrivals.size === 0) firstAt = at;
  lastAt = at;
  arrivals.set(key, [path, eventId, at]);
}

function take(req: IncomingMessage, res: ServerResponse): void {
  const path = req.url ?? '';
  if (path === trouble.dead) return void req.socket.destroy();
  const answer = () => void res.writeHead(204).end();
  const isSlow = path === trouble.slow;
  if (!isSlow) note(path, String(req.headers['webhook-id']));
  req.resume().once('end', () => (isSlow ? setTimeout(answer, slowAnswerMs) : answer()));
}

const server = createServer(take);

async function listen(): Promise<{ port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has this kind of address.
  return { port: (server.address() as AddressInfo).port };
}

answerRequests(async (request: ReceiverRequest): Promise<object> => {
  if (request.kind === 'listen') return listen();
  if (request.kind === 'trouble') trouble = request;
  if (request.kind === 'forget') {
    arrivals.clear();
    [firstAt, lastAt] = [Number.NaN, Number.NaN];
  }
  if (request.kind === 'arrivals') return { arrivals: [...arrivals.values()] };
  return { taken: arrivals.size, firstAt, lastAt } satisfies Counted;
});
