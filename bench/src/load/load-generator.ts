/**
 * The load generator. It is a process of its own, so that it does not use the CPU time of the measured process.
 * `prepare` makes and signs requests. `run` sends them over open connections, one at a time on each, until the time is
 * over or no request is left. Then it waits for the missing answers.
 */
import { answerRequests } from '../processes/answer-requests.js';
import { openCollector } from '../processes/open-collector.js';
import { percentile } from '../readings/percentile.js';
import { type KeepAliveConnection, openConnection } from './keep-alive-connection.js';
import { prepareRequests, type RequestPlan } from './prepare-requests.js';

export type RunPlan = {
  /** The port of one api, or of several apis that share the connections. */
  readonly port: number | readonly number[];
  readonly connections: number;
  /** Null sends all requests. JSON between processes cannot carry Infinity. */
  readonly seconds: number | null;
  /**
   * The rate at which requests are due, whether or not earlier ones are answered. Without it each connection sends its
   * next request at once.
   */
  readonly perSecond?: number;
};

export type LoadRequest = ({ readonly kind: 'prepare' } & RequestPlan) | ({ readonly kind: 'run' } & RunPlan);

export type RunResult = {
  readonly answered: number;
  /** Prepared requests that were not sent. */
  readonly left: number;
  readonly elapsedMs: number;
  /** The status and text of the first answer that was not 200. */
  readonly refusal: string | null;
  /** Measured from the moment when a request was due, so that waiting for a free connection counts. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
};

let prepared: Buffer[] = [];

/** Collects the garbage of `prepare` before a run. A collection during the run would look like a slow api. */
const collectGarbage = openCollector();

function openAll({ port, connections }: RunPlan): Promise<KeepAliveConnection[]> {
  const ports = typeof port === 'number' ? [port] : port;
  return Promise.all(Array.from({ length: connections }, (_, i) => openConnection(ports[i % ports.length] ?? 0)));
}

/** Returns when the next request is due, or null if there is none. */
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
