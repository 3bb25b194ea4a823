/**
 * `bulk`: requests with many messages, which the api verifies and stores, against bare `addBulk` of the same number of
 * jobs.
 */
import { testRedisUrl, uniqueQueuePrefix } from '@kurir/testing';
import type { Added, AddRequest } from '../bare/add-bulk.js';
import { openLanes } from '../gateway/lanes.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { redisProcess } from '../gateway/servers.js';
import { checkStored, forgetMessages } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import { startClocks } from '../readings/cpu-time.js';
import type { Measure, Sample, Sides } from './measure.js';

/** The same number of concurrent requests as the bare side has calls. */
const connections = 4;
const messages = 1_000;
const devices = 10;
/** The worker runs but takes almost nothing; see accept.ts. */
const pacePerMinute = 1;
/** More than the api can accept. */
const requestsPerSecond = 30;
const warmUpSeconds = 1;

async function runOurs(gateway: MeasuredGateway, load: Load, seconds: number): Promise<Sample> {
  const { apiPort, account, database, deviceIds } = gateway;
  await forgetMessages(gateway);
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: Math.ceil(requestsPerSecond * seconds),
    messages,
    priority: 'bulk',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  const readClocks = startClocks(gateway.clocked('api', load));
  const { answered, elapsedMs } = await load.run({ port: apiPort, connections, seconds });
  const accepted = answered * messages;
  const cpuUs = readClocks(accepted);
  await checkStored(database, accepted);
  return { perSecond: (accepted * 1000) / elapsedMs, cpuUs };
}

async function openBase(setting: Setting): Promise<(seconds: number) => Promise<Sample>> {
  const prefix = uniqueQueuePrefix();
  const queue = openLanes(setting, prefix);
  const bare = await startMeasuredProcess(setting, {
    path: 'bench/dist/bare/add-bulk.js',
    env: { REDIS_URL: testRedisUrl(), BARE_PREFIX: `{${prefix}:bare}` },
    measuredAs: 'bare-add-bulk',
  });
  const redis = await redisProcess();
  return async (seconds) => {
    await queue.clear();
    const readClocks = startClocks([{ name: 'bare', pid: bare.pid }, ...redis]);
    const request: AddRequest = { seconds };
    const { jobs, elapsedMs } = await bare.ask<Added>(request);
    return { perSecond: (jobs * 1000) / elapsedMs, cpuUs: readClocks(jobs) };
  };
}

async function open(setting: Setting): Promise<Sides> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute }),
    startLoad(setting),
  ]);
  const runBase = await openBase(setting);
  await runOurs(gateway, load, warmUpSeconds);
  await runBase(warmUpSeconds);
  return { ours: () => runOurs(gateway, load, setting.seconds), base: () => runBase(setting.seconds) };
}

export const bulk: Measure = { name: 'bulk', unit: 'messages/s', target: 0.6, open };
