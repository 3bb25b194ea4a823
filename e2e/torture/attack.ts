/**
 * One attack from the first device to the verdict: a calm while, the faults, the wait until everything is final, and
 * the comparison of what client, database and network have written down.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attackWithFaults } from './attack-with-faults.js';
import { watchBacklog } from './backlog.js';
import { type ClientRecord, openClientRecord } from './client-record.js';
import { otpLatency } from './compare.js';
import { countFindings, describeFindings } from './describe-findings.js';
import type { Fleet } from './fleet.js';
import { type Gateway, openGateway } from './gateway.js';
import { notPossible } from './inject-fault.js';
import { type Judgement, judge, untilDecided } from './judge.js';
import { Load } from './load.js';
import { type Mutation, findMutation } from './mutations.js';
import { type Fault, planFaults, weights } from './plan-faults.js';
import { createRandom } from './random.js';
import type { Report } from './report.js';
import { breakDatabase, requireApplied, requireFound } from './require-broken.js';
import { openRunJournal, type RunJournal } from './run-journal.js';
import type { ServerCommands } from './servers.js';
import { type Stack, type StackOptions, startStack } from './stack.js';

export type AttackOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  readonly faults: number;
  readonly mutant: string | null;
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
};

/** Twenty devices, half of them polite. */
const fleet: Fleet = { customers: 5, devicesEach: 4, politeEach: 2 };
const perSecond = 130;
const meanGapMs = 1_600;
const warmMs = 2_000;
const tellEveryMs = 5_000;
/** Unfinished messages above which the next fault waits a moment. */
const faultsWaitAt = 1_500;
/** Unfinished messages above which the client asks for no more. */
const loadWaitsAt = 2_000;
const loadGoesOnMs = 1_000;

const calmMs = (faults: number) => (faults <= 20 ? 6_000 : 15_000);

type Attack = AttackOptions & {
  readonly plan: readonly Fault[];
  readonly journal: RunJournal;
  readonly record: ClientRecord;
  readonly mutation: Mutation | null;
};

function prepare(options: AttackOptions): Attack {
  const mutation = options.mutant === null ? null : findMutation(options.mutant);
  const random = createRandom(options.seed, 'faults');
  return {
    ...options,
    plan: planFaults(random, options.faults, mutation?.weights ?? weights, meanGapMs),
    journal: openRunJournal(join(options.directory, 'journal.jsonl')),
    record: openClientRecord(join(options.directory, 'client.jsonl')),
    mutation,
  };
}

async function loadAndFaults(attack: Attack, stack: Stack, gateway: Gateway): Promise<Load> {
  const { journal, plan, tell, signal, record } = attack;
  const backlog = watchBacklog(stack.servers.database);
  const random = createRandom(attack.seed, `load ${record.byRef.size}`);
  const { customers } = stack;
  const isBehind = () => backlog.unfinished > loadWaitsAt;
  const load = new Load({ random, customers, fleet, record, gateway, perSecond, isBehind });
  journal.write({ kind: 'load_began' });
  let done = 0;
  const progress = setInterval(() => {
    tell(`${done} of ${plan.length} faults, ${load.accepted} accepted, ${backlog.unfinished} unfinished`);
  }, tellEveryMs);
  try {
    await sleep(calmMs(plan.length), undefined, { signal });
    let asking: Promise<void> | undefined;
    const target = { servers: stack.servers, product: stack.product, deviceIds: stack.deviceIds };
    await attackWithFaults({
      target,
      faults: plan,
      journal,
      signal,
      isBehind: () => backlog.isWorkedOff(faultsWaitAt),
      tell: (number) => {
        done = number;
      },
      onLast: () => {
        asking = sleep(loadGoesOnMs).then(() => untilDecided(load));
      },
    });
    await (asking ?? untilDecided(load));
    journal.write({ kind: 'load_ended' });
    return load;
  } finally {
    clearInterval(progress);
    backlog.stop();
  }
}

/** What was done; what this machine could not do stands apart. */
function faultsByKind({ journal }: Attack): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of journal.entries) {
    if (entry.kind !== 'fault_ended') continue;
    const kind = entry.remark === notPossible ? `${entry.fault}_${notPossible.replaceAll(' ', '_')}` : entry.fault;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a));
}

type Measured = { readonly load: Load; readonly gateway: Gateway };

function reportOf(attack: Attack, judgement: Judgement, { load, gateway }: Measured): Report {
  const { journal, seed, mutant, plan } = attack;
  const { counts, findings, messages } = judgement;
  const timeOf = (kind: string) => journal.entries.find((entry) => entry.kind === kind)?.at ?? 0;
  const lastOf = (kind: string) => journal.entries.findLast((entry) => entry.kind === kind)?.at ?? 0;
  const firstFault = timeOf('fault_begun');
  const serverErrors = [...gateway.counts.serverErrors.values()].reduce((sum, count) => sum + count, 0);
  return {
    seed,
    mutant,
    faults: plan.length,
    faults_by_kind: faultsByKind(attack),
    seconds_attacked: Math.round((lastOf('fault_ended') - firstFault) / 1_000),
    ...counts,
    accepted_per_second: Math.round(load.accepted / load.seconds),
    answers_5xx: serverErrors,
    answers_unclear: gateway.counts.unclear,
    otp_latency_ms_without_faults: otpLatency(messages, timeOf('load_began') + warmMs, firstFault - warmMs),
    otp_latency_ms_with_faults: otpLatency(messages, firstFault, Number.POSITIVE_INFINITY),
    seconds_until_all_was_final: Math.round(judgement.settleSeconds),
    ...countFindings(findings),
    findings: describeFindings(findings),
  };
}

/** How the product's programs are started so that they are mutants. */
function brokenBy({ mutation, mutant }: Attack): Pick<StackOptions, 'imports' | 'env'> {
  if (mutation === null || mutant === null) return { imports: [], env: {} };
  requireFound(mutation);
  return { imports: [new URL('./mutate.js', import.meta.url).href], env: { ...mutation.env, TORTURE_MUTANT: mutant } };
}

async function finishBreaking({ directory, mutation, mutant }: Attack, { product, servers }: Stack): Promise<void> {
  if (mutation === null || mutant === null) return;
  requireApplied(mutation, mutant, directory, product);
  await breakDatabase(mutation, mutant, servers.database);
}

export async function runAttack(options: AttackOptions): Promise<Report> {
  const attack = prepare(options);
  const { journal, tell, seed } = attack;
  if (journal.entries.length === 0) journal.write({ kind: 'begun', seed, faults: attack.plan.length });
  else journal.write({ kind: 'resumed' });
  const stack = await startStack({
    directory: options.directory,
    commands: options.commands,
    fleet,
    workers: 2,
    ...brokenBy(attack),
    tell,
  });
  const gateway = openGateway(stack.product.apiPorts);
  try {
    await finishBreaking(attack, stack);
    const load = await loadAndFaults(attack, stack, gateway);
    return reportOf(attack, await judge(stack, attack.record, tell), { load, gateway });
  } finally {
    gateway.close();
    await stack.stop();
    journal.close();
  }
}
