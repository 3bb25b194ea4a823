/** Sends signed requests to the apis. A missing or useless answer is `unclear`, never an error. */
import { Agent, request } from 'node:http';
import { signRequest } from '@kurir/signing';
import type { AttackedAccount } from '../processes/attacked-accounts.js';

export type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Envelope }
  | { readonly kind: 'unclear'; readonly reason: string };

export type Envelope = {
  readonly success: boolean;
  readonly code?: string;
  readonly data?: { readonly job_id?: string; readonly results?: readonly BulkResult[]; readonly status?: string };
};

export type BulkResult = { readonly job_id?: string; readonly code?: string };

export type SignedPost = {
  readonly account: AttackedAccount;
  readonly target: string;
  readonly body: string;
  readonly deviceId?: string;
  /** Closes the connection as soon as the request is sent, so that the answer is lost. */
  readonly loseAnswer?: boolean;
};

export type GatewayCounts = {
  /** The requests without a useful answer, including those whose answer was thrown away. */
  unclear: number;
  thrownAway: number;
  /** How many answers had each 5xx status. */
  serverErrors: Map<number, number>;
};

export type GatewayClient = {
  readonly counts: GatewayCounts;
  post(what: SignedPost): Promise<Reply>;
  close(): void;
};

const answeredWithinMs = 6_000;

let lastTimestamp = 0;

/** The api takes two equal requests with the same timestamp for a repeat, so each request gets its own timestamp. */
function ownTimestamp(): string {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  return String(lastTimestamp);
}

function headersOf({ account, target, body, deviceId }: SignedPost): Record<string, string> {
  const timestamp = ownTimestamp();
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-API-Key': account.apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': signRequest({ method: 'POST', target, timestamp, body, secret: account.apiSecret }),
    ...(deviceId === undefined ? {} : { 'X-Device-Id': deviceId }),
  };
}

function parse(status: number, text: string): Reply {
  try {
    // Every answer of the api is one of the two envelopes. The api's own tests check that.
    return { kind: 'answered', status, body: JSON.parse(text) as Envelope };
  } catch {
    return { kind: 'unclear', reason: `status ${status} without an envelope` };
  }
}

function exchange(agent: Agent, port: number, what: SignedPost): Promise<Reply> {
  return new Promise((resolve) => {
    const unclear = (reason: string) => resolve({ kind: 'unclear', reason });
    const options = { host: '127.0.0.1', port, path: what.target, method: 'POST', headers: headersOf(what), agent };
    const asked = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', (error) => unclear(error.message));
      answer.on('end', () => resolve(parse(answer.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))));
    });
    asked.setTimeout(answeredWithinMs, () => asked.destroy(new Error('no answer in time')));
    asked.on('error', (error) => unclear(error.message));
    asked.end(what.body, () => {
      if (what.loseAnswer === true) setImmediate(() => asked.destroy(new Error('answer thrown away')));
    });
  });
}

/** Sends requests to the apis in turn, so that a repeat usually reaches another api than the first try. */
export function openGatewayClient(ports: readonly number[]): GatewayClient {
  const agents = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true, maxSockets: 64 }) }));
  const counts: GatewayCounts = { unclear: 0, thrownAway: 0, serverErrors: new Map() };
  let turn = 0;
  return {
    counts,
    async post(what) {
      const { port, agent } = agents[turn++ % agents.length] ?? { port: 0, agent: new Agent() };
      if (what.loseAnswer === true) counts.thrownAway++;
      const reply = await exchange(agent, port, what);
      if (reply.kind === 'unclear') counts.unclear++;
      else if (reply.status >= 500)
        counts.serverErrors.set(reply.status, (counts.serverErrors.get(reply.status) ?? 0) + 1);
      return reply;
    },
    close: () => {
      for (const { agent } of agents) agent.destroy();
    },
  };
}
