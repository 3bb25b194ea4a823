/** Single sends, signed, validated and stored, against bare Express with one `queue.add` per request. */
import { freePort, testRedisUrl, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { startClocks } from './cpu-time.js';
import { type Load, startLoad } from './load.js';
import { openLanes } from './lanes.js';
import type { Measure, Sample, Setting, Side } from './measure.js';
import { pause } from './pause.js';
import type { RequestPlan } from './prepare-requests.js';
import { type Product, startProduct } from './product.js';
import { startProgram } from './program.js';
import { redisProcess } from './servers.js';
import { areLanesCovered, checkStored, forgetMessages } from './stored-messages.js';

const connections = 128;
const devices = 10;
/** Once the worker goes on, it takes one message a minute of each device. */
const pacePerMinute = 1;
/** More than either side can take. */
const requestsPerSecond = 12_000;
/** Both sides: V8 has made fast code of both by then. */
const warmUpSeconds = 3;

const plan = ({ customer, deviceIds }: Product, seconds: number): RequestPlan => ({
  target: '/api/v1/messages/send',
  requests: Math.ceil(requestsPerSecond * seconds),
  messages: 1,
  priority: 'normal',
  apiKey: customer.apiKey,
  apiSecret: customer.apiSecret,
  deviceIds,
});

/** The enqueueing behind the answers is part of the work. */
async function untilEnqueued(product: Product): Promise<void> {
  await waitUntil(() => areLanesCovered(product), {
    what: 'every lane has its ticket',
    timeoutMs: 10_000,
    everyMs: 50,
  });
}

async function runOurs(product: Product, load: Load, seconds: number): Promise<Sample> {
  await forgetMessages(product);
  await load.prepare(plan(product, seconds));
  // As on the bare side, nobody consumes. The devices stay connected for as long as their leases run.
  const resume = pause(product.worker);
  try {
    const readClocks = startClocks(product.clocked('api', load));
    const { answered, elapsedMs } = await load.run({ port: product.apiPort, connections, seconds });
    await untilEnqueued(product);
    const cpuUs = readClocks(answered);
    await checkStored(product.database, answered);
    return { perSecond: (answered * 1000) / elapsedMs, cpuUs };
  } finally {
    resume();
  }
}

async function openBase(setting: Setting, product: Product, load: Load): Promise<(seconds: number) => Promise<Sample>> {
  const [port, prefix] = [await freePort(), uniqueQueuePrefix()];
  const queue = openLanes(setting, prefix);
  const bare = await startProgram(setting, {
    path: 'bench/dist/bare/express.js',
    env: { PORT: String(port), REDIS_URL: testRedisUrl(), BARE_PREFIX: `{${prefix}:bare}` },
    ready: `http://127.0.0.1:${port}/`,
    measuredAs: 'bare-express',
  });
  const redis = await redisProcess();
  return async (seconds) => {
    await queue.clear();
    await load.prepare(plan(product, seconds));
    const readClocks = startClocks([{ name: 'bare', pid: bare.pid }, ...redis, load.clocked]);
    const { answered, elapsedMs } = await load.run({ port, connections, seconds });
    return { perSecond: (answered * 1000) / elapsedMs, cpuUs: readClocks(answered) };
  };
}

async function open(setting: Setting): Promise<{ ours: Side; base: Side }> {
  const [product, load] = await Promise.all([startProduct(setting, { devices, pacePerMinute }), startLoad(setting)]);
  const runBase = await openBase(setting, product, load);
  await runOurs(product, load, warmUpSeconds);
  await runBase(warmUpSeconds);
  return { ours: () => runOurs(product, load, setting.seconds), base: () => runBase(setting.seconds) };
}

export const accept: Measure = { name: 'accept', unit: 'messages/s', target: 1.2, open };
