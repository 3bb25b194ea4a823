/**
 * `soak`: sends one-time codes at a steady rate for a given time, and observes memory, times and CPU. Anything that
 * only grows shows as a slope, or as a difference between the first and the last third.
 */
import { readFileSync } from 'node:fs';
import { testRedisUrl } from '@kurir/testing';
import { Redis } from 'ioredis';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { storeOldMessages } from '../gateway/store-old-messages.js';
import { countMessages, databaseNow, otpTimes, untilOtpsAreSent } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import { type CpuUs, startClocks } from '../readings/cpu-time.js';
import { median } from '../readings/percentile.js';
import { slope } from '../readings/slope.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const devices = 20;
const connections = 64;
const requestsPerSecond = 8_000;
const windowSeconds = 10;
const warmUpSeconds = 8;
const usualMinutes = 30;
/** During this share of the time V8 still compiles and caches still fill. */
const warmUpShare = 0.2;

type Sample = {
  readonly minute: number;
  readonly apiMb: number | null;
  readonly workerMb: number | null;
  readonly redisMb: number;
  /** The p99 of the api's answers. */
  readonly p99Ms: number;
  /** The p99 from acceptance to acknowledgement. */
  readonly otpP99Ms: number;
  /** The CPU time of all processes per one-time code. */
  readonly cpuUs: number | null;
};

function residentMb(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1e3;
  } catch {
    return null; // not on Linux
  }
}

/** Prepares the requests of the next `seconds`. */
async function prepareFor(
  gateway: MeasuredGateway,
  load: Load,
  seconds: number,
  perSecond = requestsPerSecond,
): Promise<void> {
  const { apiKey, apiSecret } = gateway.account;
  await load.prepare({
    target: '/api/v1/messages/send',
    requests: Math.ceil(perSecond * seconds),
    messages: 1,
    priority: 'otp',
    apiKey,
    apiSecret,
    deviceIds: gateway.deviceIds,
  });
}

async function sendFor(gateway: MeasuredGateway, load: Load, seconds: number) {
  await prepareFor(gateway, load, seconds);
  return load.run({ port: gateway.apiPort, connections, seconds });
}

/** Returns the rate at which the gateway accepts and sends. */
async function findTopRate(gateway: MeasuredGateway, load: Load, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const { answered } = await sendFor(gateway, load, seconds);
  await untilOtpsAreSent(gateway);
  return (answered * 1000) / (performance.now() - startedAt);
}

type Window = { readonly p99Ms: number; readonly otpP99Ms: number; readonly byProcess: CpuUs };

/** Measures one window. The CPU of receipts that arrive later counts in the next window. */
async function soakFor(gateway: MeasuredGateway, load: Load, perSecond: number): Promise<Window> {
  const processes = [...gateway.clocked('api', load), { name: 'network', pid: gateway.network.pid }];
  await prepareFor(gateway, load, windowSeconds, perSecond);
  const since = await databaseNow(gateway);
  const readClocks = startClocks(processes);
  const { latencyMs, answered } = await load.run({
    port: gateway.apiPort,
    connections,
    seconds: windowSeconds,
    perSecond,
  });
  const byProcess = readClocks(answered);
  await untilOtpsAreSent(gateway);
  const { p99: otpP99Ms } = await otpTimes(gateway, since);
  return { p99Ms: latencyMs.p99, otpP99Ms, byProcess };
}

function together(cpuUs: CpuUs): number | null {
  const all = Object.values(cpuUs);
  return all.length === 0 ? null : all.reduce((sum, us) => sum + us, 0);
}

async function sample(
  gateway: MeasuredGateway,
  redis: Redis,
  startedAt: number,
  { p99Ms, otpP99Ms, byProcess }: Window,
): Promise<Sample> {
  return {
    p99Ms,
    otpP99Ms,
    cpuUs: together(byProcess),
    minute: (Date.now() - startedAt) / 60_000,
    apiMb: residentMb(gateway.api.pid),
    workerMb: residentMb(gateway.worker.pid),
    redisMb: Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]) / 1e6,
  };
}

function slopeFigure(name: string, unit: string, samples: readonly Sample[], of: (s: Sample) => number | null): Figure {
  const points = samples.flatMap((one) => {
    const y = of(one);
    return y === null ? [] : [{ x: one.minute, y }];
  });
  return { name: `${name} per minute`, value: points.length < 2 ? null : slope(points), unit, digits: 3 };
}

/** Compares the medians of the first and the last third. A single stall moves a slope, but not these medians. */
function driftFigures(
  name: string,
  unit: string,
  samples: readonly Sample[],
  of: (s: Sample) => number | null,
): Figure[] {
  const values = samples.map(of).filter((value) => value !== null);
  const third = Math.ceil(values.length / 3);
  if (third === 0) return [];
  return [
    { name: `${name}, the first third`, value: median(values.slice(0, third)), unit, digits: 1 },
    { name: `${name}, the last third`, value: median(values.slice(-third)), unit, digits: 1 },
  ];
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  const settled = samples.slice(Math.floor(samples.length * warmUpShare));
  const last = settled.at(-1);
  return [
    { name: 'api at the end: resident', value: last?.apiMb ?? null, unit: 'MB', digits: 1 },
    slopeFigure('api: resident', 'MB', settled, (one) => one.apiMb),
    { name: 'worker at the end: resident', value: last?.workerMb ?? null, unit: 'MB', digits: 1 },
    slopeFigure('worker: resident', 'MB', settled, (one) => one.workerMb),
    { name: 'Redis at the end', value: last?.redisMb ?? null, unit: 'MB', digits: 1 },
    slopeFigure('Redis', 'MB', settled, (one) => one.redisMb),
    ...driftFigures('answer p99', 'ms', settled, (one) => one.p99Ms),
    ...driftFigures('otp p99', 'ms', settled, (one) => one.otpP99Ms),
    ...driftFigures('CPU per otp, all processes', 'µs', settled, (one) => one.cpuUs),
    slopeFigure('answer p99', 'ms', settled, (one) => one.p99Ms),
  ];
}

async function run(setting: Setting, options: Options): Promise<Figure[]> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute: null, network: 'simulator' }),
    startLoad(setting),
  ]);
  const redis = new Redis(testRedisUrl());
  setting.cleanup.add(async () => redis.disconnect());
  if (options.sends !== null) {
    setting.tell(`storing ${options.sends} messages that are over`);
    await storeOldMessages(gateway, 0, options.sends, options.sends);
  }
  // A cold api is many times slower.
  await sendFor(gateway, load, warmUpSeconds);
  await untilOtpsAreSent(gateway);
  const perSecond = options.rate ?? 0.6 * (await findTopRate(gateway, load, setting.seconds));
  const minutes = options.minutes ?? usualMinutes;
  setting.tell(`soaking for ${minutes} min at ${Math.round(perSecond)} otps/s`);
  const startedAt = Date.now();
  const samples: Sample[] = [];
  while (Date.now() - startedAt < minutes * 60_000) {
    const window = await soakFor(gateway, load, perSecond);
    const taken = await sample(gateway, redis, startedAt, window);
    samples.push(taken);
    const { minute, apiMb, workerMb, redisMb, p99Ms, otpP99Ms, cpuUs } = taken;
    const cpu = Object.entries(window.byProcess).map(([name, us]) => `${name} ${us.toFixed(0)}`);
    setting.tell(
      `${minute.toFixed(1)} min: api ${apiMb} MB, worker ${workerMb} MB, Redis ${redisMb.toFixed(1)} MB, ` +
        `answers' p99 ${p99Ms.toFixed(1)} ms, otps' ${otpP99Ms.toFixed(1)} ms, CPU ${cpuUs?.toFixed(0)} µs an otp (${cpu.join(', ')})`,
    );
  }
  await untilOtpsAreSent(gateway);
  return [
    { name: 'otps per second', value: perSecond, unit: '', digits: 0 },
    { name: 'otps that expired', value: await countMessages(gateway.database, ['expired']), unit: '', digits: 0 },
    ...figuresOf(samples),
  ];
}

export const soak: Study = { name: 'soak', run };
