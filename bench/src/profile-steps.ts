/**
 * Where the time of a message goes: a CPU profile of api or worker, shared out among the steps of ARCHITECTURE.md. A
 * sample belongs to the innermost function of ours, or of a library that stands for a step; what Node does for it
 * belongs to its caller.
 */

export type CpuProfile = {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

type ProfileNode = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
};

/** The first that fits counts. `null`: not part of any message. */
const rules: readonly (readonly [RegExp, string | null])[] = [
  [/^\(idle\)/, null],
  [/^\(garbage collector\)/, 'garbage collection'],
  [/internal\/modules|cjs-module-lexer|^evaluate/, null],
  [/rate-limit|limit-rate/, 'rate limit'],
  [/queue\/dist\/(enqueue|lane)|bullmq|sign-job/, 'enqueue, turns (BullMQ)'],
  [/ioredis|redis-parser|msgpackr/, 'Redis client'],
  [/pino|sonic|logRequest/, 'log'],
  [/signing\/dist|api-key-cache|verify-request|lru-cache|used-secrets/, 'verify'],
  [/zod|contracts\/dist|libphonenumber|parse-json/, 'validate'],
  [/node_modules\/pg|pg-protocol|pg-pool|postgres-/, 'Postgres client'],
  [/packages\/database|api\/dist\/accept/, 'accept, claim, statuses'],
  [/network-simulator|\/ws\//, 'driver (simulator, WebSocket)'],
  [/helmet|router|express|parseurl|api\/dist\/(app|route|require-host)/, 'Express, security headers'],
  [/apps\/api/, 'read, answer'],
  [/apps\/worker/, 'lanes, sessions'],
  [/ node:/, "Node's HTTP and sockets"],
];

const unattributed = 'other';
const nodeItself = "Node's HTTP and sockets";

function stepOf({ callFrame }: ProfileNode): string | null | undefined {
  const text = `${callFrame.functionName} ${callFrame.url}`;
  return rules.find(([pattern]) => pattern.test(text))?.[1];
}

/** The step of each node; a function of Node's own counts for whoever called it. */
function stepsOfNodes(nodes: readonly ProfileNode[]): Map<number, string | null> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const steps = new Map<number, string | null>();
  const [root] = nodes;
  const open: { readonly id: number; readonly above: string | null }[] = [];
  if (root !== undefined) open.push({ id: root.id, above: unattributed });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = byId.get(next.id);
    if (node === undefined) continue;
    const own = stepOf(node);
    const step = own === undefined || (own === nodeItself && next.above !== unattributed) ? next.above : own;
    steps.set(node.id, step);
    for (const id of node.children ?? []) open.push({ id, above: step });
  }
  return steps;
}

export type StepShare = { readonly step: string; readonly share: number };

/** Shares of the time in which the process was at work for messages, largest first. */
export function shareOut({ nodes, samples, timeDeltas }: CpuProfile): StepShare[] {
  const steps = stepsOfNodes(nodes);
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const step = steps.get(id) ?? null;
    if (step !== null) times.set(step, (times.get(step) ?? 0) + (timeDeltas[i] ?? 0));
  });
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([step, time]) => ({ step, share: time / total })).toSorted((a, b) => b.share - a.share);
}
