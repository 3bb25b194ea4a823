/**
 * `send`: our worker with simulated devices, from stored messages to stored states. The other side is bare BullMQ
 * workers on the same number of queues, with an empty job.
 * On both sides the consumers are started first and then paused while the work is stored. So the measure contains
 * neither start-up nor connecting.
 */
import { testRedisUrl, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Completed, ExpectRequest } from '../bare/workers.js';
import { openLanes } from '../gateway/lanes.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { redisProcess } from '../gateway/servers.js';
import { areLanesCovered, checkStates, checkStored, forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { type MeasuredProcess, startMeasuredProcess } from '../processes/measured-process.js';
import { pause } from '../processes/pause.js';
import type { Setting } from '../processes/setting.js';
import { type Clocked, type CpuUs, startClocks } from '../readings/cpu-time.js';
import type { Measure, Sample, Sides } from './measure.js';

const lanes = 500;
/** Both sides run for about the same time: empty jobs are cheap, so the bare side gets more of them. */
const messagesPerLaneAndSecond = 5;
const jobsPerLaneAndSecond = 20;
/** This many messages fit into a lane's window and can be stored within a lease. */
const mostMessagesPerLane = 90;
/** A worker that was paused for longer loses its devices. The bare side holds none; `pause` wakes it after a while. */
const longestPauseMs = { ours: 11_000, base: 18_000 };
const connections = 8;

/** Waits until the leases are renewed, so that they survive the pause. */
async function untilLeasesAreFresh({ database }: MeasuredGateway): Promise<void> {
  const areFresh = async () => {
    const { rows } = await database.pool.query<{ fresh: boolean }>(
      `SELECT min(expires_at) > now() + interval '14 seconds' AS fresh FROM device_leases`,
    );
    return rows[0]?.fresh === true;
  };
  await waitUntil(areFresh, { what: 'leases are renewed', everyMs: 100 });
}

/** Stores messages through the api and waits until the lanes have their tickets. */
async function layOut(gateway: MeasuredGateway, load: Load, messages: number): Promise<void> {
  await load.run({ port: gateway.apiPort, connections, seconds: null });
  await checkStored(gateway.database, messages);
  await waitUntil(() => areLanesCovered(gateway), { what: 'every lane has its job', everyMs: 20 });
}

/** Returns when the last state of the last message was stored. Storing the receipts is part of the work. */
async function allStoredAtMs({ database }: MeasuredGateway, messages: number): Promise<number> {
  await untilAllAre(database, 'read', messages);
  const { rows } = await database.pool.query<{ at: Date }>('SELECT max(at) AS at FROM message_events');
  return rows[0]?.at.getTime() ?? Number.NaN;
}

type Started = { readonly atMs: number; readonly readClocks: (messages: number) => CpuUs };

/** Prepares work for a paused program and lets it continue. Returns the time at which it continued. */
async function letGo(
  program: MeasuredProcess,
  longestMs: number,
  clocked: readonly Clocked[],
  work: () => Promise<void>,
): Promise<Started> {
  const pausedAt = Date.now();
  const resume = pause(program);
  try {
    await work();
    const now = Date.now();
    if (now - pausedAt > longestMs)
      throw new Error(`laying the work out took over ${longestMs / 1000} s: try fewer --seconds, or a quieter machine`);
    return { atMs: now, readClocks: startClocks(clocked) };
  } finally {
    resume();
  }
}

async function runOurs(gateway: MeasuredGateway, load: Load, perLane: number): Promise<Sample> {
  const { worker, account, deviceIds } = gateway;
  const messages = lanes * perLane;
  await forgetMessages(gateway);
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: lanes,
    messages: perLane,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  await untilLeasesAreFresh(gateway);
  const started = await letGo(worker, longestPauseMs.ours, gateway.clocked('worker', load), () =>
    layOut(gateway, load, messages),
  );
  const elapsedMs = (await allStoredAtMs(gateway, messages)) - started.atMs;
  const cpuUs = started.readClocks(messages);
  await checkStates(gateway.database, messages);
  return { perSecond: (messages * 1000) / elapsedMs, cpuUs };
}

function openQueues({ cleanup }: Setting, prefix: string): Queue[] {
  const connection = new Redis(testRedisUrl(), { maxRetriesPerRequest: null });
  connection.setMaxListeners(0);
  cleanup.add(async () => connection.disconnect());
  return Array.from({ length: lanes }, (_, n) => new Queue('lane', { connection, prefix: `{${prefix}:${n}}` }));
}

async function openBase(setting: Setting): Promise<(perLane: number) => Promise<Sample>> {
  const prefix = uniqueQueuePrefix();
  openLanes(setting, prefix);
  const bare = await startMeasuredProcess(setting, {
    path: 'bench/dist/bare/workers.js',
    env: { REDIS_URL: testRedisUrl(), BARE_PREFIX: prefix, BARE_QUEUES: String(lanes) },
    measuredAs: 'bare-workers',
  });
  const queues = openQueues(setting, prefix);
  const redis = await redisProcess();
  const expect = (jobs: number) => bare.ask<Completed>({ jobs } satisfies ExpectRequest);
  await expect(0);

  return async (perLane) => {
    const jobs = Array.from({ length: perLane }, () => ({ name: 'nothing', data: {} }));
    const completed = expect(lanes * perLane);
    // The first failure is reported, not the end of the program that follows from it.
    completed.catch(() => undefined);
    const clocked = [{ name: 'bare', pid: bare.pid }, ...redis];
    const started = await letGo(bare, longestPauseMs.base, clocked, async () => {
      for (const queue of queues) await queue.addBulk(jobs);
    });
    const elapsedMs = (await completed).atMs - started.atMs;
    return { perSecond: (lanes * perLane * 1000) / elapsedMs, cpuUs: started.readClocks(lanes * perLane) };
  };
}

async function open(setting: Setting): Promise<Sides> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices: lanes, pacePerMinute: null }),
    startLoad(setting),
  ]);
  const runBase = await openBase(setting);
  const ours = () => runOurs(gateway, load, Math.min(mostMessagesPerLane, messagesPerLaneAndSecond * setting.seconds));
  const base = () => runBase(jobsPerLaneAndSecond * setting.seconds);
  return { ours, base };
}

export const send: Measure = { name: 'send', unit: 'messages/s', target: null, open };
