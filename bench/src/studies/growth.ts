/**
 * `growth`: measures whether stored messages slow the gateway down. It takes the time of an answer and of a one-time
 * code with more and more stored messages. Then it takes the time of an answer while the oldest messages are deleted.
 * Finally it takes the memory of Redis for a million waiting messages.
 */
import { forgetMessages, forgetRequestKeys } from '@kurir/database';
import { testRedisUrl, waitUntil } from '@kurir/testing';
import { Redis } from 'ioredis';
import { callMeasuredGateway } from '../gateway/call-gateway.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { storeOldMessages } from '../gateway/store-old-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { numbersFrom } from '../load/numbers.js';
import { nextMessage } from '../load/prepare-requests.js';
import { openFrames } from '../network/frames.js';
import { wireTimes } from '../network/wire-times.js';
import type { Setting } from '../processes/setting.js';
import { median, percentile } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const devices = 20;
/** The worker runs and its devices are connected, but it takes almost nothing. */
const pacePerMinute = 1;
const steps = [1_000, 100_000, 1_000_000, 5_000_000];
const usualMost = 1_000_000;
const mostWaiting = 1_000_000;
const perSecond = 200;
const connections = 32;
/** The codes are sent one after the other, on one device without a pace. */
const codes = 20;
const onTheWireWithinMs = 60_000;
/** Deleting keeps the messages of this many days. The stored messages cover a month. */
const keptDays = 15;

type Stage = { readonly gateway: MeasuredGateway; readonly load: Load; readonly seconds: number };

type Costs = { readonly answerMs: number; readonly codeMs: number };

/** The first device sends codes. The other devices keep their messages waiting. */
const codeDevice = ({ deviceIds }: MeasuredGateway) => deviceIds[0] ?? '';
const pacedDevices = ({ deviceIds }: MeasuredGateway) => deviceIds.slice(1);

async function answerTime({ gateway, load, seconds }: Stage): Promise<number> {
  const { account, apiPort } = gateway;
  await load.prepare({
    target: '/api/v1/messages/send',
    requests: perSecond * seconds,
    messages: 1,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds: pacedDevices(gateway),
  });
  return (await load.run({ port: apiPort, connections, seconds, perSecond })).latencyMs.p99;
}

let recipientsUsed = 0;

/** The p99 of the codes' times from accepted to on the wire. */
async function codeTime({ gateway }: Stage): Promise<number> {
  const frames = await openFrames(gateway.network);
  const recipients = numbersFrom('62816', codes, recipientsUsed);
  recipientsUsed += codes;
  for (const recipient of recipients) {
    const body = { ...nextMessage('otp'), phone_destination: recipient };
    await callMeasuredGateway(gateway, {
      deviceId: codeDevice(gateway),
      method: 'POST',
      target: '/api/v1/messages/send',
      body,
    });
    await frames.reached([recipient], onTheWireWithinMs);
  }
  const { ms } = await wireTimes(gateway.database, frames, recipients, onTheWireWithinMs);
  return percentile(ms, 50);
}

async function costsAt(stage: Stage, runs: number): Promise<Costs[]> {
  const all: Costs[] = [];
  for (let n = 0; n < runs; n++) all.push({ answerMs: await answerTime(stage), codeMs: await codeTime(stage) });
  return all;
}

const medianOf = (costs: readonly Costs[], of: keyof Costs) => median(costs.map((one) => one[of]));

function figuresOf(stored: number, costs: readonly Costs[], first: readonly Costs[]): Figure[] {
  const at = `with ${stored.toLocaleString('en-GB')} stored`;
  const answer = medianOf(costs, 'answerMs');
  const answers = costs.map((one) => one.answerMs);
  return [
    { name: `answer p99 ${at}`, value: answer, unit: 'ms', digits: 1 },
    {
      name: `answer p99 ${at}, lowest to highest`,
      value: Math.max(...answers) - Math.min(...answers),
      unit: 'ms',
      digits: 1,
    },
    { name: `code on the wire ${at}: p50`, value: medianOf(costs, 'codeMs'), unit: 'ms', digits: 1 },
    ...(costs === first
      ? []
      : [
          {
            name: `answer p99 ${at} ÷ with 1,000`,
            value: answer / medianOf(first, 'answerMs'),
            unit: '',
            digits: 2,
            atMost: 1.3,
          },
        ]),
  ];
}

type Forgetting = { readonly answerMs: number; readonly messages: number; readonly keys: number };

/** Measures the api's answers while the functions of the worker delete the oldest messages and request keys. */
async function whileForgetting(stage: Stage): Promise<Forgetting> {
  const { database } = stage.gateway;
  const over = new AbortController();
  const [answerMs, messages, keys] = await Promise.all([
    answerTime(stage).finally(() => over.abort()),
    forgetMessages(database, keptDays, over.signal),
    forgetRequestKeys(database, over.signal),
  ]);
  return { answerMs, messages, keys };
}

/** Measures in both orders, because storing and deleting leave work for the disk. */
async function forgettingFigures(stage: Stage, runs: number): Promise<Figure[]> {
  const all: Forgetting[] = [];
  const without: number[] = [];
  for (let n = 0; n < runs; n++) {
    all.push(await whileForgetting(stage));
    without.push(await answerTime(stage), await answerTime(stage));
    all.push(await whileForgetting(stage));
  }
  const answer = median(all.map((one) => one.answerMs));
  const deleted = (of: 'messages' | 'keys') => all.reduce((sum, one) => sum + one[of], 0);
  return [
    { name: 'messages deleted meanwhile', value: deleted('messages'), unit: 'messages', digits: 0 },
    { name: 'request keys deleted meanwhile', value: deleted('keys'), unit: 'keys', digits: 0 },
    { name: 'answer p99 while the oldest are deleted', value: answer, unit: 'ms', digits: 1 },
    { name: 'answer p99 in between', value: median(without), unit: 'ms', digits: 1 },
    { name: 'the ratio of the two', value: answer / median(without), unit: '', digits: 2, atMost: 1.3 },
  ];
}

async function redisMemory(): Promise<number> {
  const redis = new Redis(testRedisUrl());
  try {
    return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]) / 1e6;
  } finally {
    redis.disconnect();
  }
}

/**
 * Stores the messages of one more broadcast, which keep waiting. Measures the memory after the worker's sweeps have
 * seen them.
 */
async function memoryWithWaiting({ gateway, load }: Stage, messages: number): Promise<Figure[]> {
  await gateway.lanes.clear();
  const before = await redisMemory();
  const { database, account } = gateway;
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: messages / 1_000,
    messages: 1_000,
    priority: 'bulk',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds: pacedDevices(gateway),
  });
  const { elapsedMs } = await load.run({ port: gateway.apiPort, connections: 4, seconds: null });
  const swept = Date.now() + 5_000;
  await waitUntil(() => Date.now() > swept, { what: 'the sweeps have come by', timeoutMs: 10_000 });
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE status = 'queued'`,
  );
  return [
    { name: 'messages that wait', value: rows[0]?.n ?? null, unit: '', digits: 0 },
    { name: 'accepted through bulk', value: (messages * 1000) / elapsedMs, unit: 'messages/s', digits: 0 },
    { name: 'Redis memory for them', value: (await redisMemory()) - before, unit: 'MB', digits: 1, atMost: 200 },
  ];
}

/** The usual table omits deleting, because its cost does not depend on the number of stored messages. */
const isShort = ({ names }: Options) => names.length === 0;
const shortSteps = [1_000, 1_000_000];

async function run(setting: Setting, options: Options): Promise<Figure[]> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute, network: 'simulator' }),
    startLoad(setting),
  ]);
  const most = options.sends ?? usualMost;
  const stage: Stage = { gateway, load, seconds: setting.seconds };
  const unpaced = { deviceId: codeDevice(gateway), body: { pace_per_minute: null } };
  await callMeasuredGateway(gateway, { ...unpaced, method: 'PATCH', target: '/api/v1/devices' });
  const figures: Figure[] = [];
  let stored = 0;
  let first: Costs[] | null = null;
  for (const total of (isShort(options) ? shortSteps : steps).filter((step) => step <= most)) {
    setting.tell(`growth: storing ${total} messages`);
    await storeOldMessages(gateway, stored, total, most);
    stored = total;
    // Warms up.
    await answerTime(stage);
    const costs = await costsAt(stage, options.runs);
    first ??= costs;
    figures.push(...figuresOf(total, costs, first));
    setting.tell(`growth: ${total} stored: answer p99 ${medianOf(costs, 'answerMs').toFixed(1)} ms`);
  }
  if (!isShort(options)) figures.push(...(await forgettingFigures(stage, options.runs)));
  return [...figures, ...(await memoryWithWaiting(stage, Math.min(most, mostWaiting)))];
}

export const growth: Study = { name: 'growth', run };
