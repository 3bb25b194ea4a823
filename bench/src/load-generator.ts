/**
 * The generator, a process of its own so that it does not live on the measured program's time. `prepare` makes and
 * signs requests; `run` sends them over kept connections, one at a time on each, until the time is up or none is
 * left, and then waits for the answers that are still out.
 */
import { answerRequests } from './answer-requests.js';
import { type KeepAliveConnection, openConnection } from './keep-alive-connection.js';
import { prepareRequests, type RequestPlan } from './prepare-requests.js';

export type RunPlan = {
  readonly port: number;
  readonly connections: number;
  /** Infinity does not survive the way between processes; null: until all are sent. */
  readonly seconds: number | null;
};

export type LoadRequest = ({ readonly kind: 'prepare' } & RequestPlan) | ({ readonly kind: 'run' } & RunPlan);

export type RunResult = {
  readonly answered: number;
  /** Requests that were prepared and not sent. */
  readonly left: number;
  readonly elapsedMs: number;
  /** The first answer that was not 200, with its status. */
  readonly refusal: string | null;
};

let prepared: Buffer[] = [];

async function run(plan: RunPlan): Promise<RunResult> {
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => openConnection(plan.port)));
  let answered = 0;
  let refusal: string | null = null;
  const startedAt = performance.now();
  const until = startedAt + (plan.seconds ?? Number.POSITIVE_INFINITY) * 1000;

  async function sendAll(connection: KeepAliveConnection): Promise<void> {
    for (let next = prepared.pop(); next !== undefined; next = prepared.pop()) {
      const { status, body } = await connection.send(next);
      if (status !== 200) refusal ??= `${status} ${body}`;
      answered++;
      if (refusal !== null || performance.now() >= until) return;
    }
  }
  await Promise.all(connections.map(sendAll));
  const elapsedMs = performance.now() - startedAt;
  for (const connection of connections) connection.close();
  return { answered, left: prepared.length, elapsedMs, refusal };
}

answerRequests(async (request: LoadRequest) => {
  if (request.kind === 'run') return run(request);
  prepared = prepareRequests(request);
  return { prepared: prepared.length };
});
