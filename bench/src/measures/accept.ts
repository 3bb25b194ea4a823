/** `accept`: single sends, which the api verifies and stores, against bare Express with one `queue.add` per request. */
import { freePort, testRedisUrl, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { openLanes } from '../gateway/lanes.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { redisProcess } from '../gateway/servers.js';
import { areLanesCovered, checkStored, forgetMessages } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import type { RequestPlan } from '../load/prepare-requests.js';
import { startMeasuredProcess } from '../processes/measured-process.js';
import { pause } from '../processes/pause.js';
import type { Setting } from '../processes/setting.js';
import { startClocks } from '../readings/cpu-time.js';
import type { Measure, Sample, Side } from './measure.js';

const connections = 128;
/** The slowest pace, so that the worker takes almost nothing after it continues. */
export const acceptPlan = { devices: 10, pacePerMinute: 1 };
/** More than either side can accept. */
const requestsPerSecond = 12_000;
/** By then V8 has optimised the code of both sides. */
export const warmUpSeconds = 3;

const plan = ({ account, deviceIds }: MeasuredGateway, seconds: number): RequestPlan => ({
  target: '/api/v1/messages/send',
  requests: Math.ceil(requestsPerSecond * seconds),
  messages: 1,
  priority: 'normal',
  apiKey: account.apiKey,
  apiSecret: account.apiSecret,
  deviceIds,
});

/** Enqueueing after the answer is part of the work. */
async function untilEnqueued(gateway: MeasuredGateway): Promise<void> {
  await waitUntil(() => areLanesCovered(gateway), {
    what: 'every lane has its ticket',
    timeoutMs: 10_000,
    everyMs: 50,
  });
}

export async function acceptFor(gateway: MeasuredGateway, load: Load, seconds: number): Promise<Sample> {
  await forgetMessages(gateway);
  await load.prepare(plan(gateway, seconds));
  // Nobody consumes, as on the bare side. The devices stay connected until their leases end.
  const resume = pause(gateway.worker);
  try {
    const readClocks = startClocks(gateway.clocked('api', load));
    const { answered, elapsedMs } = await load.run({ port: gateway.apiPort, connections, seconds });
    await untilEnqueued(gateway);
    const cpuUs = readClocks(answered);
    await checkStored(gateway.database, answered);
    return { perSecond: (answered * 1000) / elapsedMs, cpuUs };
  } finally {
    resume();
  }
}

async function openBase(
  setting: Setting,
  gateway: MeasuredGateway,
  load: Load,
): Promise<(seconds: number) => Promise<Sample>> {
  const [port, prefix] = [await freePort(), uniqueQueuePrefix()];
  const queue = openLanes(setting, prefix);
  const bare = await startMeasuredProcess(setting, {
    path: 'bench/dist/bare/express.js',
    env: { PORT: String(port), REDIS_URL: testRedisUrl(), BARE_PREFIX: `{${prefix}:bare}` },
    ready: `http://127.0.0.1:${port}/`,
    measuredAs: 'bare-express',
  });
  const redis = await redisProcess();
  return async (seconds) => {
    await queue.clear();
    await load.prepare(plan(gateway, seconds));
    const readClocks = startClocks([{ name: 'bare', pid: bare.pid }, ...redis, load.clocked]);
    const { answered, elapsedMs } = await load.run({ port, connections, seconds });
    return { perSecond: (answered * 1000) / elapsedMs, cpuUs: readClocks(answered) };
  };
}

async function open(setting: Setting): Promise<{ ours: Side; base: Side }> {
  const [gateway, load] = await Promise.all([startMeasuredGateway(setting, acceptPlan), startLoad(setting)]);
  const runBase = await openBase(setting, gateway, load);
  await acceptFor(gateway, load, warmUpSeconds);
  await runBase(warmUpSeconds);
  return { ours: () => acceptFor(gateway, load, setting.seconds), base: () => runBase(setting.seconds) };
}

export const accept: Measure = { name: 'accept', unit: 'messages/s', target: 1.2, open };
