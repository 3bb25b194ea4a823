/**
 * Does one fault. Resolves when it is over: the process works again, or the connections are back. The returned remark
 * names the target. Several faults of one kind may overlap.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '@kurir/testing';
import type { People } from '../client/people.js';
import type { Fault, FaultKind, Side } from '../plan/plan-faults.js';
import type { AttackedGateway, Worker } from '../processes/attacked-gateway.js';
import type { Servers } from '../processes/servers.js';
import type { SupervisedProcess } from '../processes/supervised-process.js';

export type Target = {
  readonly servers: Servers;
  readonly gateway: AttackedGateway;
  readonly deviceIds: readonly string[];
  readonly people: People;
  /** Called when a worker has been killed. */
  readonly noteKill: () => void;
};

/** The remark of a fault that this machine cannot make. */
export const notPossible = 'not possible here';

type Inject = (target: Target, fault: Fault) => Promise<string>;

const pick = <Item>(items: readonly Item[], { which }: Fault): Item => {
  const item = items[which % items.length];
  if (item === undefined) throw new Error('there is nothing to hit');
  return item;
};

async function end(
  program: SupervisedProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  downMs: number,
  work?: () => void,
): Promise<string> {
  await program.end(signal, downMs, work);
  await program.untilReady();
  return program.name;
}

/** From the first message of a crowd to the kill. Meanwhile messages are read, committed and acknowledged. */
const crowdedMs = 40;

/** Kills a worker while people write to its devices. */
async function killWorker(target: Target, fault: Fault): Promise<string> {
  const { program } = workerOf(target, fault);
  await target.people.crowd();
  await sleep(fault.which % crowdedMs);
  await program.end('SIGKILL');
  target.noteKill();
  await program.untilReady();
  return program.name;
}

async function pause(program: SupervisedProcess, forMs: number): Promise<string> {
  await program.pid();
  const { life } = program;
  const stopped = program.signalLife(life, 'SIGSTOP');
  await sleep(forMs);
  program.signalLife(life, 'SIGCONT');
  return `${program.name}, ${stopped ? 'paused' : 'gone'}`;
}

async function blackHole(proxy: TcpProxy, forMs: number): Promise<string> {
  silent.set(proxy, (silent.get(proxy) ?? 0) + 1);
  proxy.freeze();
  await sleep(forMs);
  const left = (silent.get(proxy) ?? 1) - 1;
  silent.set(proxy, left);
  if (left === 0) proxy.thaw();
  return `${forMs} ms`;
}

/** How many faults keep each proxy silent now. */
const silent = new WeakMap<TcpProxy, number>();

let resetting: Promise<void> = Promise.resolve();

/** Resets one after the other, because a proxy that is cut twice cannot be restored twice. */
async function resetAll(proxy: TcpProxy): Promise<string> {
  resetting = resetting.then(() => proxy.cut()).then(() => proxy.restore());
  await resetting;
  return 'every connection';
}

async function askNetwork({ gateway }: Target, fault: object): Promise<string> {
  const answer = await fetch(`${gateway.simulatorUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the network does not know ${JSON.stringify(fault)}: ${text}`);
  return text;
}

const deviceOf = (target: Target, fault: Fault) => ({ device_id: pick(target.deviceIds, fault) });

const onFrames =
  (kind: string, more: (fault: Fault) => object = () => ({})): Inject =>
  (target, fault) =>
    askNetwork(target, { kind, ...deviceOf(target, fault), count: fault.amount, ...more(fault) });

async function skewClock({ program, clockFile }: Worker, { amount, forMs }: Fault): Promise<string> {
  await program.untilReady();
  const { life } = program;
  writeFileSync(clockFile, String(amount));
  program.signalLife(life, 'SIGUSR2');
  await sleep(forMs);
  writeFileSync(clockFile, '0');
  // The worker must be ready again, so that the signal finds its listener.
  await program.untilReady();
  program.signalLife(program.life, 'SIGUSR2');
  return `${program.name} by ${amount} ms`;
}

/** No proxy stands before a Redis that is not the single one. */
const sideOf = ({ servers }: Target, { which }: Fault): Side =>
  servers.redundant === null && which % 2 === 0 ? 'redis' : 'postgres';
const proxyOf = (target: Target, fault: Fault) =>
  sideOf(target, fault) === 'redis' ? target.servers.redisProxy : target.servers.postgresProxy;

const killRedis: Inject = ({ servers }, { which, forMs }) =>
  servers.redundant?.kill(which, forMs) ?? end(servers.redis, 'SIGKILL', forMs);

const workerOf = (target: Target, fault: Fault) => pick(target.gateway.workers, fault);

const injections: Readonly<Record<FaultKind, Inject>> = {
  kill_worker: killWorker,
  kill_api: (target, fault) => end(pick(target.gateway.apis, fault), 'SIGKILL', 0),
  kill_redis: killRedis,
  kill_postgres: ({ servers }, { forMs }) => end(servers.postgres, 'SIGKILL', forMs),
  stop_worker: (target, fault) => end(workerOf(target, fault).program, 'SIGTERM', 0),
  pause_worker: (target, fault) => pause(workerOf(target, fault).program, fault.forMs),
  pause_api: (target, fault) => pause(pick(target.gateway.apis, fault), fault.forMs),
  acknowledgement_lost: onFrames('ack_lost'),
  acknowledgement_late: onFrames('ack_late', ({ forMs }) => ({ delay_ms: forMs })),
  frame_swallowed: onFrames('swallow'),
  refused_for_now: onFrames('ack_negative', ({ forMs }) => ({
    reason: 'rate_limited_by_network',
    permanent: false,
    retry_after_ms: forMs,
  })),
  reset_in_mid_frame: (target, fault) =>
    onFrames(fault.which % 2 === 0 ? 'reset_after_take' : 'reset_before_take')(target, fault),
  receipt_doubled: onFrames('receipt_duplicate'),
  sessions_restarted: (target) => askNetwork(target, { kind: 'restart' }),
  device_turned_away: async (target, fault) => {
    const untilMs = Date.now() + fault.forMs;
    const remark = await askNetwork(target, { kind: 'temporary_ban', ...deviceOf(target, fault), until_ms: untilMs });
    await sleep(fault.forMs);
    return remark;
  },
  black_hole_redis: ({ servers }, { which, forMs }) =>
    servers.redundant?.silence(which, forMs) ?? blackHole(servers.redisProxy, forMs),
  black_hole_postgres: ({ servers }, { forMs }) => blackHole(servers.postgresProxy, forMs),
  connections_reset: (target, fault) => resetAll(proxyOf(target, fault)),
  connections_forgotten: async (target, fault) => {
    const tellTarget = proxyOf(target, fault).abandon();
    await sleep(fault.forMs);
    tellTarget();
    return sideOf(target, fault);
  },
  torn_in_mid_answer: async (target, fault) => {
    proxyOf(target, fault).tear();
    return sideOf(target, fault);
  },
  redis_outage: killRedis,
  redis_wiped: async ({ servers }, { which, forMs }) => {
    if (servers.redundant !== null) return servers.redundant.wipe();
    if (which % 2 === 0) return end(servers.redis, 'SIGKILL', forMs, servers.loseAppendFile);
    await servers.redis.untilReady();
    // Another fault may have just killed Redis. Then remove its files instead.
    await servers.wipeRedis().catch(() => end(servers.redis, 'SIGKILL', forMs, servers.loseAppendFile));
    return 'while it ran';
  },
  append_file_cut: ({ servers }, { which, forMs, amount }) =>
    servers.redundant?.kill(which, forMs) ?? end(servers.redis, 'SIGKILL', forMs, () => servers.cutAppendFile(amount)),
  disk_full: async ({ servers }, { forMs }) => {
    if (!(await servers.fillDisk(forMs))) return notPossible;
    await servers.postgres.untilReady();
    return `${forMs} ms`;
  },
  clock_skewed: (target, fault) => skewClock(workerOf(target, fault), fault),
};

export function injectFault(target: Target, fault: Fault): Promise<string> {
  return injections[fault.kind](target, fault);
}
