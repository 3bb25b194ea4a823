/**
 * How long an otp takes from its acceptance to the network's acknowledgement, stored: alone; behind 100,000 waiting
 * broadcast messages of its own device; beside those of other devices; and while bulks are accepted. No device keeps a
 * pace, so the backlogs are sent at the same time, as fast as they go. And how long the api takes to answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Load, startLoad } from './load.js';
import type { Setting } from './measure.js';
import type { Options } from './options.js';
import { median } from './percentile.js';
import type { RequestPlan } from './prepare-requests.js';
import { type Product, startProduct } from './product.js';
import { countMessages, forgetMessages, type OtpTimes, otpTimes, untilOtpsAreSent } from './stored-messages.js';
import type { Figure, Study } from './study.js';

const devices = 20;
const connections = 64;
const waiting = 100_000;
const perBulk = 1_000;
const requestsPerSecond = 8_000;
/** Workers look once a second. */
const paceTakesMs = 3_000;

type Stage = { readonly product: Product; readonly load: Load; readonly bulks: Load; readonly seconds: number };

const planOf = ({ customer }: Product, deviceIds: readonly string[]) => ({
  apiKey: customer.apiKey,
  apiSecret: customer.apiSecret,
  deviceIds,
});

const otps = (product: Product, requests: number): RequestPlan => ({
  ...planOf(product, product.deviceIds.slice(0, devices / 2)),
  target: '/api/v1/messages/send',
  requests: Math.ceil(requests),
  messages: 1,
  priority: 'otp',
});

const broadcasts = (product: Product, deviceIds: readonly string[], messages: number): RequestPlan => ({
  ...planOf(product, deviceIds),
  target: '/api/v1/messages/bulk',
  requests: messages / perBulk,
  messages: perBulk,
  priority: 'bulk',
});

/** Otps at a rate, and how long they took. */
async function sendOtps({ product, load, seconds }: Stage, perSecond: number): Promise<OtpTimes> {
  await load.prepare(otps(product, perSecond * seconds));
  await load.run({ port: product.apiPort, connections, seconds, perSecond });
  await untilOtpsAreSent(product);
  return otpTimes(product);
}

/** As many as api and worker manage together. */
async function findTopRate({ product, load, seconds }: Stage): Promise<number> {
  await forgetMessages(product);
  await load.prepare(otps(product, requestsPerSecond * seconds));
  const startedAt = performance.now();
  const { answered } = await load.run({ port: product.apiPort, connections, seconds });
  await untilOtpsAreSent(product);
  return (answered * 1000) / (performance.now() - startedAt);
}

/** Waiting messages do not run out under the otps, or the figure is not what its name says. */
async function checkBacklog({ database }: Product): Promise<void> {
  if ((await countMessages(database, ['queued'])) === 0) throw new Error('the backlog was sent before the otps were');
}

async function withBacklog(stage: Stage, perSecond: number, ofOtpDevices: boolean): Promise<OtpTimes> {
  const { product, bulks } = stage;
  const half = devices / 2;
  await forgetMessages(product);
  const deviceIds = ofOtpDevices ? product.deviceIds.slice(0, half) : product.deviceIds.slice(half);
  await bulks.prepare(broadcasts(product, deviceIds, waiting));
  await bulks.run({ port: product.apiPort, connections: 4, seconds: null });
  const times = await sendOtps(stage, perSecond);
  await checkBacklog(product);
  return times;
}

async function duringBulks(stage: Stage, perSecond: number): Promise<OtpTimes> {
  const { product, bulks, seconds } = stage;
  await forgetMessages(product);
  await bulks.prepare(broadcasts(product, product.deviceIds.slice(devices / 2), 30_000 * seconds));
  const [times] = await Promise.all([
    sendOtps(stage, perSecond),
    bulks.run({ port: product.apiPort, connections: 2, seconds }),
  ]);
  return times;
}

async function alone(stage: Stage, perSecond: number): Promise<OtpTimes> {
  await forgetMessages(stage.product);
  return sendOtps(stage, perSecond);
}

const conditions = {
  'nothing else': alone,
  '100,000 waiting on the same devices': (stage, rate) => withBacklog(stage, rate, true),
  '100,000 waiting on other devices': (stage, rate) => withBacklog(stage, rate, false),
  'bulks being accepted': duringBulks,
} satisfies Record<string, (stage: Stage, perSecond: number) => Promise<OtpTimes>>;

type Condition = keyof typeof conditions;
// Its own keys, in their order.
const names = Object.keys(conditions) as Condition[];

/** The ratio counts, or the time itself: whichever is the better one. */
function figuresOf(name: Condition, runs: readonly OtpTimes[], idleP99: number): Figure[] {
  const [p50, p99] = [median(runs.map((run) => run.p50)), median(runs.map((run) => run.p99))];
  const good = Math.max(50, 2 * idleP99);
  const spread = runs.map((run) => run.p99);
  return [
    { name: `otp, ${name}: p50`, value: p50, unit: 'ms', digits: 0 },
    {
      name: `otp, ${name}: p99`,
      value: p99,
      unit: 'ms',
      digits: 0,
      ...(name === 'nothing else' ? {} : { atMost: good }),
    },
    { name: `otp, ${name}: p99, lowest of the runs`, value: Math.min(...spread), unit: 'ms', digits: 0 },
    { name: `otp, ${name}: p99, highest of the runs`, value: Math.max(...spread), unit: 'ms', digits: 0 },
  ];
}

type Answers = { readonly perSecond: number; readonly p50: number; readonly p99: number };

/** At 70 % of the rate that the api accepts at most just before. */
async function answersOnce({ product, load, seconds }: Stage): Promise<Answers> {
  await forgetMessages(product);
  await load.prepare(otps(product, requestsPerSecond * seconds));
  const { answered, elapsedMs } = await load.run({ port: product.apiPort, connections, seconds });
  const perSecond = (0.7 * answered * 1000) / elapsedMs;
  await forgetMessages(product);
  await load.prepare(otps(product, perSecond * seconds));
  const { latencyMs } = await load.run({ port: product.apiPort, connections, seconds, perSecond });
  return { perSecond, p50: latencyMs.p50, p99: latencyMs.p99 };
}

/** What the api takes for an answer; the worker sends next to nothing, as in `accept`. */
async function answerTimes(stage: Stage, runs: number, tell: Setting['tell']): Promise<Figure[]> {
  await stage.product.database.pool.query('UPDATE devices SET pace_per_minute = 1');
  await sleep(paceTakesMs);
  const found: Answers[] = [];
  for (let n = 1; n <= runs; n++) {
    const answers = await answersOnce(stage);
    found.push(answers);
    tell(`answers: run ${n} of ${runs}: p99 ${answers.p99.toFixed(1)} ms at ${Math.round(answers.perSecond)}/s`);
  }
  const of = (what: keyof Answers) => found.map((answers) => answers[what]);
  return [
    { name: 'api at 70 % of its top rate', value: median(of('perSecond')), unit: 'requests/s', digits: 0 },
    { name: 'its answers: p50', value: median(of('p50')), unit: 'ms', digits: 1 },
    { name: 'its answers: p99', value: median(of('p99')), unit: 'ms', digits: 1, atMost: 25 },
    { name: 'its answers: p99, lowest of the runs', value: Math.min(...of('p99')), unit: 'ms', digits: 1 },
    { name: 'its answers: p99, highest of the runs', value: Math.max(...of('p99')), unit: 'ms', digits: 1 },
  ];
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const [product, load, bulks] = await Promise.all([
    startProduct(setting, { devices, pacePerMinute: null, network: 'simulator' }),
    startLoad(setting),
    startLoad(setting),
  ]);
  const stage: Stage = { product, load, bulks, seconds: setting.seconds };
  await findTopRate(stage);
  const topRate = await findTopRate(stage);
  const rate = 0.6 * topRate;
  setting.tell(`accepted and sent at most ${Math.round(topRate)} otps/s; measuring at ${Math.round(rate)}`);
  const found: Record<Condition, OtpTimes[]> = {
    'nothing else': [],
    '100,000 waiting on the same devices': [],
    '100,000 waiting on other devices': [],
    'bulks being accepted': [],
  };
  for (let n = 1; n <= runs; n++) {
    for (const name of names) found[name].push(await conditions[name](stage, rate));
    setting.tell(
      `otp: run ${n} of ${runs}: p99 ${names.map((name) => found[name].at(-1)?.p99.toFixed(0)).join(', ')} ms`,
    );
  }
  const idleP99 = median(found['nothing else'].map((times) => times.p99));
  return [
    { name: 'otps accepted and sent at most', value: topRate, unit: 'messages/s', digits: 0 },
    ...names.flatMap((name) => figuresOf(name, found[name], idleP99)),
    ...(await answerTimes(stage, runs, setting.tell)),
  ];
}

export const otp: Study = { name: 'otp', run };
