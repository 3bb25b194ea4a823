/**
 * One attack: it starts the system, sends load for a calm while, plays the faults, and waits until every message is
 * final. Then it compares the records of client, database and network.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { otpLatency } from '../checks/compare.js';
import { type GatewayClient, openGatewayClient } from '../client/gateway-client.js';
import { Load } from '../client/load.js';
import { startPeople } from '../client/people.js';
import { attackWithFaults } from '../faults/attack-with-faults.js';
import { notPossible } from '../faults/inject-fault.js';
import { findExpired, findWrongDeliveries } from '../checks/deliveries.js';
import { countKillsInFlight, findWrongInbound } from '../checks/inbound.js';
import { settleEvents } from '../events/settle-events.js';
import { type WatchedEvents, watchEvents } from '../events/watched-events.js';
import { findMutation, type Mutation } from '../mutations/mutations.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { type Fault, planFaults, weights } from '../plan/plan-faults.js';
import { createRandom } from '../plan/random.js';
import { type AttackedSystem, type SystemOptions, startAttackedSystem } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { type ClientRecord, openClientRecord } from '../records/client-record.js';
import type { EventRecord } from '../records/event-record.js';
import type { InboundRecord } from '../records/inbound-record.js';
import { openRunJournal, type RunJournal } from '../records/run-journal.js';
import { countFindings, describeFindings } from '../report/describe-findings.js';
import type { Report } from '../report/report.js';
import { watchBacklog } from './backlog.js';
import { type Judgement, judge, untilDecided } from './judge.js';
import { breakDatabase, requireApplied, requireFound } from './require-broken.js';

export type AttackOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  readonly faults: number;
  readonly mutant: string | null;
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
};

/** Half of the devices are polite. */
const devicePlan: DevicePlan = { accounts: 5, devicesEach: 4, politeEach: 2 };
const perSecond = 130;
/** How many messages of people come a second. */
const inboundPerSecond = 20;
const meanGapMs = 1_600;
const warmMs = 2_000;
const tellEveryMs = 5_000;
/** With more unfinished messages the next fault waits a moment. */
const faultsWaitAt = 1_500;
/** With more unfinished messages the load pauses. */
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

async function loadAndFaults(attack: Attack, system: AttackedSystem, client: GatewayClient): Promise<Load> {
  const { journal, plan, tell, signal, record } = attack;
  const backlog = watchBacklog(system.servers.database);
  const random = createRandom(attack.seed, `load ${record.byRef.size}`);
  const { accounts } = system;
  const isBehind = () => backlog.unfinished > loadWaitsAt;
  const load = new Load({ random, accounts, devicePlan, record, client, perSecond, isBehind });
  const people = startPeople({
    simulatorUrl: system.gateway.simulatorUrl,
    devices: system.deviceIds.length,
    random: createRandom(attack.seed, `people ${record.byRef.size}`),
    perSecond: inboundPerSecond,
  });
  journal.write({ kind: 'load_began' });
  let done = 0;
  const progress = setInterval(() => {
    tell(`${done} of ${plan.length} faults, ${load.accepted} accepted, ${backlog.unfinished} unfinished`);
  }, tellEveryMs);
  try {
    await sleep(calmMs(plan.length), undefined, { signal });
    let asking: Promise<void> | undefined;
    const { servers, gateway, deviceIds } = system;
    const noteKill = () => journal.write({ kind: 'worker_killed' });
    await attackWithFaults({
      target: { servers, gateway, deviceIds, people, noteKill },
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
    await people.stop();
    journal.write({ kind: 'load_ended' });
    return load;
  } finally {
    clearInterval(progress);
    backlog.stop();
  }
}

/** Counts the faults by kind. Faults that this machine cannot make have a kind of their own. */
function faultsByKind({ journal }: Attack): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of journal.entries) {
    if (entry.kind !== 'fault_ended') continue;
    const kind = entry.remark === notPossible ? `${entry.fault}_${notPossible.replaceAll(' ', '_')}` : entry.fault;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a));
}

type Measured = {
  readonly load: Load;
  readonly client: GatewayClient;
  readonly inbound: InboundRecord;
  readonly events: EventRecord;
};

function reportOf(attack: Attack, judgement: Judgement, { load, client, inbound, events }: Measured): Report {
  const { journal, seed, mutant, plan } = attack;
  const { counts, messages } = judgement;
  const findings = [
    ...judgement.findings,
    ...findWrongDeliveries(events),
    ...findExpired(events),
    ...findWrongInbound(inbound, [...events.webhooks, ...events.feed]),
  ];
  const kills = journal.entries.filter(({ kind }) => kind === 'worker_killed').map(({ at }) => at);
  const timeOf = (kind: string) => journal.entries.find((entry) => entry.kind === kind)?.at ?? 0;
  const lastOf = (kind: string) => journal.entries.findLast((entry) => entry.kind === kind)?.at ?? 0;
  const firstFault = timeOf('fault_begun');
  const serverErrors = [...client.counts.serverErrors.values()].reduce((sum, count) => sum + count, 0);
  return {
    seed,
    mutant,
    faults: plan.length,
    faults_by_kind: faultsByKind(attack),
    seconds_attacked: Math.round((lastOf('fault_ended') - firstFault) / 1_000),
    ...counts,
    accepted_per_second: Math.round(load.accepted / load.seconds),
    answers_5xx: serverErrors,
    answers_unclear: client.counts.unclear,
    events_logged: events.logged.length,
    events_read_from_the_feed: events.feed.length,
    events_taken_by_webhooks: events.webhooks.length,
    people_wrote: inbound.written.length,
    repeats_of_what_people_wrote: inbound.repeats,
    kills_with_inbound_in_flight: countKillsInFlight(kills, inbound.interruptions),
    otp_latency_ms_without_faults: otpLatency(messages, timeOf('load_began') + warmMs, firstFault - warmMs),
    otp_latency_ms_with_faults: otpLatency(messages, firstFault, Number.POSITIVE_INFINITY),
    seconds_until_all_was_final: Math.round(judgement.settleSeconds),
    ...countFindings(findings),
    findings: describeFindings(findings),
  };
}

/** The options that start the programs as mutants. */
function brokenBy({ mutation, mutant }: Attack): Pick<SystemOptions, 'imports' | 'env'> {
  if (mutation === null || mutant === null) return { imports: [], env: {} };
  requireFound(mutation);
  return {
    imports: [new URL('../mutations/mutate.js', import.meta.url).href],
    env: { ...mutation.env, TORTURE_MUTANT: mutant },
  };
}

async function finishBreaking(
  { directory, mutation, mutant }: Attack,
  { gateway, servers }: AttackedSystem,
): Promise<void> {
  if (mutation === null || mutant === null) return;
  requireApplied(mutation, mutant, directory, gateway);
  await breakDatabase(mutation, mutant, servers.database);
}

export async function runAttack(options: AttackOptions): Promise<Report> {
  const attack = prepare(options);
  const { journal, tell, seed } = attack;
  if (journal.entries.length === 0) journal.write({ kind: 'begun', seed, faults: attack.plan.length });
  else journal.write({ kind: 'resumed' });
  const system = await startAttackedSystem({
    directory: options.directory,
    commands: options.commands,
    devicePlan,
    workers: 2,
    ...brokenBy(attack),
    tell,
  });
  const client = openGatewayClient(system.gateway.apiPorts);
  let watched: WatchedEvents | undefined;
  try {
    await finishBreaking(attack, system);
    watched = await watchEvents(system, options.directory, seed);
    const load = await loadAndFaults(attack, system, client);
    const judgement = await judge(system, attack.record, tell);
    const { inbound, events } = await settleEvents(system, watched, tell);
    return reportOf(attack, judgement, { load, client, inbound, events });
  } finally {
    client.close();
    await watched?.stop();
    await system.stop();
    journal.close();
  }
}
