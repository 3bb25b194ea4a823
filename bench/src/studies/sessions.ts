/**
 * `sessions`: the costs of idle sessions. Restarts a worker with linked devices and measures it at rest with all, some
 * and none of them.
 */
import { createBenchAccount } from '../gateway/bench-account.js';
import { type Ground, openGround } from '../gateway/ground.js';
import {
  databaseTime,
  type Idle,
  readIdleCpu,
  readIdleMemory,
  startMeasuredWorker,
  untilConnected,
} from '../gateway/idle-worker.js';
import { linkDevices } from '../gateway/link-devices.js';
import { type Network, type NetworkName, startNetwork } from '../network/network.js';
import type { MeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import { slope } from '../readings/slope.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const usualDevices: Readonly<Record<NetworkName, number>> = { whatsapp: 200, simulator: 1_000 };
/** The study reads the memory with all devices and with these shares of them. */
const parts = [0.25, 0.5];
/** A little longer than the interval at which Baileys sends its keep-alive. */
const idleSeconds = 31;
const megabyte = 1e6;

type Rest = { readonly memory: Idle; readonly cpuMsPerSecond: number | null };

async function restAt(worker: MeasuredProcess, devices: number): Promise<Rest> {
  const memory = await readIdleMemory(worker, devices);
  return { memory, cpuMsPerSecond: await readIdleCpu(worker, idleSeconds) };
}

/** A worker with an empty database of its own. */
async function measureBase(setting: Setting, network: Network): Promise<Rest> {
  const worker = await startMeasuredWorker(setting, await openGround(setting, network), 1);
  const rest = await restAt(worker, 0);
  await worker.stop();
  return rest;
}

type Restart = { readonly worker: MeasuredProcess; readonly connectedMs: readonly number[] };

/** Measures from the old worker's SIGTERM. Nobody scans a code, so a connected device was not linked again. */
async function restart(setting: Setting, ground: Ground, old: MeasuredProcess, devices: number): Promise<Restart> {
  const since = await databaseTime(ground);
  await old.stop();
  const worker = await startMeasuredWorker(setting, ground, devices);
  const connectedMs = await untilConnected(ground, devices, since);
  setting.tell(`${devices} devices are connected again after ${((connectedMs.at(-1) ?? 0) / 1000).toFixed(1)} s`);
  return { worker, connectedMs };
}

type Found = { readonly connectedMs: readonly number[]; readonly full: Rest; readonly fractions: readonly Idle[] };

async function measureDevices(setting: Setting, network: Network, devices: number): Promise<Found> {
  const ground = await openGround(setting, network);
  const { database, masterKey } = ground;
  const { accountId } = await createBenchAccount(database, masterKey);
  const linker = await startMeasuredWorker(setting, ground, devices);
  await linkDevices({ database, network, accountId, tell: setting.tell }, { devices, pacePerMinute: null });
  const { connectedMs, worker: restarted } = await restart(setting, ground, linker, devices);
  let worker = restarted;
  const full = await restAt(worker, devices);
  const fractions: Idle[] = [];
  for (const some of parts.map((part) => Math.round(devices * part))) {
    ({ worker } = await restart(setting, ground, worker, some));
    fractions.push(await readIdleMemory(worker, some));
  }
  return { connectedMs, full, fractions };
}

function perDevice(points: readonly Idle[], bytesOf: (idle: Idle) => number): number {
  return slope(points.map((idle) => ({ x: idle.devices, y: bytesOf(idle) / megabyte })));
}

function restartFigures(connectedMs: readonly number[]): Figure[] {
  const seconds = (ms: number | undefined) => ({ value: (ms ?? Number.NaN) / 1000, unit: 's', digits: 1 });
  const middle = connectedMs[Math.floor((connectedMs.length - 1) / 2)];
  return [
    { name: 'restart to the first device connected', ...seconds(connectedMs[0]) },
    { name: 'restart to half of them', ...seconds(middle) },
    { name: `restart to all ${connectedMs.length}`, ...seconds(connectedMs.at(-1)), atMost: 60 },
  ];
}

function memoryFigures(base: Idle, points: readonly Idle[]): Figure[] {
  const megabytes = { unit: 'MB', digits: 2 };
  const rss = (idle: Idle) => idle.residentAfterCollectionBytes;
  return [
    { name: 'worker without devices: resident', value: rss(base) / megabyte, unit: 'MB', digits: 1 },
    { name: 'worker without devices: heap', value: base.heapBytes / megabyte, unit: 'MB', digits: 1 },
    ...points.slice(1).map((idle) => ({
      name: `worker with ${idle.devices} devices: resident`,
      value: rss(idle) / megabyte,
      unit: 'MB',
      digits: 1,
    })),
    { name: 'resident per idle device', value: perDevice(points, rss), ...megabytes, atMost: 1.5 },
    { name: 'the same before a collection', value: perDevice(points, (idle) => idle.residentBytes), ...megabytes },
    { name: 'heap per idle device', value: perDevice(points, (idle) => idle.heapBytes), ...megabytes },
  ];
}

function cpuFigures(base: Rest, full: Rest): Figure[] {
  const [none, all] = [base.cpuMsPerSecond, full.cpuMsPerSecond];
  const percent = none === null || all === null ? null : (all - none) / 10 / full.memory.devices;
  return [
    { name: 'CPU of an idle worker without devices', value: none && none / 10, unit: '% of a core', digits: 2 },
    { name: 'CPU per idle device', value: percent, unit: '% of a core', digits: 4 },
  ];
}

async function run(setting: Setting, options: Options): Promise<Figure[]> {
  const network = await startNetwork(setting, options.network);
  const devices = options.devices ?? usualDevices[options.network];
  const [base, { connectedMs, full, fractions }] = await Promise.all([
    measureBase(setting, network),
    measureDevices(setting, network, devices),
  ]);
  const points = [base.memory, ...fractions, full.memory];
  return [...restartFigures(connectedMs), ...memoryFigures(base.memory, points), ...cpuFigures(base, full)];
}

export const sessions: Study = { name: 'sessions', run };
