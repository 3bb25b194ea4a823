/**
 * The generator, a process of its own so that it does not live on the measured program's time. `prepare` makes and
 * signs requests; `run` sends them over kept connections, one at a time on each, until the time is up or none is
 * left, and then waits for the answers that are still out.
 */
import { answerRequests } from '../processes/answer-requests.js';
import { openCollector } from '../processes/open-collector.js';
import { percentile } from '../readings/percentile.js';
import { type KeepAliveConnection, openConnection } from './keep-alive-connection.js';
import { prepareRequests, type RequestPlan } from './prepare-requests.js';

export type RunPlan = {
  /** Of one api, or of several that share the connections. */
  readonly port: number | readonly number[];
  readonly connections: number;
  /** Infinity does not survive the way between processes; null: until all are sent. */
  readonly seconds: number | null;
  /** Requests are due at this rate whatever becomes of the earlier ones; without it each connection sends again at once. */
  readonly perSecond?: number;
};

export type LoadRequest = ({ readonly kind: 'prepare' } & RequestPlan) | ({ readonly kind: 'run' } & RunPlan);

export type RunResult = {
  readonly answered: number;
  /** Requests that were prepared and not sent. */
  readonly left: number;
  readonly elapsedMs: number;
  /** The first answer that was not 200, with its status. */
  readonly refusal: string | null;
  /** From the moment when a request was due, so that waiting for a free connection counts. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
};

let prepared: Buffer[] = [];

/** What preparing leaves behind is collected before a run: a collection in it, 7 to 19 ms, looks as if the api did not answer. */
const collectGarbage = openCollector();

function openAll({ port, connections }: RunPlan): Promise<KeepAliveConnection[]> {
  const ports = typeof port === 'number' ? [port] : port;
  return Promise.all(Array.from({ length: connections }, (_, i) => openConnection(ports[i % ports.length] ?? 0)));
}

/** When the next request is due; null when there is none. */
type Schedule = () => number | null;

function scheduleOf({ perSecond, seconds }: RunPlan, startedAt: number): Schedule {
  const until = startedAt + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
  let next = startedAt;
  return () => {
    const due = perSecond === undefined ? performance.now() : next;
    if (perSecond !== undefined) next += 1000 / perSecond;
    return due < until ? due : null;
  };
}

const sleepUntil = (at: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));

async function run(plan: RunPlan): Promise<RunResult> {
  const connections = await openAll(plan);
  const latencies: number[] = [];
  let refusal: string | null = null;
  const startedAt = performance.now();
  const schedule = scheduleOf(plan, startedAt);

  async function sendAll(connection: KeepAliveConnection): Promise<void> {
    for (let due = schedule(); due !== null && refusal === null; due = schedule()) {
      if (due > performance.now()) await sleepUntil(due);
      const request = prepared.pop();
      if (request === undefined) return;
      const { status, body } = await connection.send(request);
      if (status !== 200) refusal ??= `${status} ${body}`;
      latencies.push(performance.now() - due);
    }
  }
  await Promise.all(connections.map(sendAll));
  const elapsedMs = performance.now() - startedAt;
  for (const connection of connections) connection.close();
  const latencyMs = { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  return { answered: latencies.length, left: prepared.length, elapsedMs, refusal, latencyMs };
}

answerRequests(async (request: LoadRequest) => {
  if (request.kind === 'run') return run(request);
  prepared = prepareRequests(request);
  collectGarbage();
  return { prepared: prepared.length };
});
