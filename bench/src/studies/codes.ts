/**
 * `codes`: one one-time code at a time, as a person waits for it, from accepted to on the wire. The device is idle,
 * sends a bulk without or with a pace or a broadcast, or waits for the answer to an earlier message. The runs take these
 * scenarios in turn, and the percentiles are those of all runs together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/testing';
import { callMeasuredGateway } from '../gateway/call-gateway.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { startBroadcast } from '../gateway/start-broadcast.js';
import { countMessages, forgetMessages } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { numbersFrom } from '../load/numbers.js';
import { nextMessage } from '../load/prepare-requests.js';
import { type Frames, openFrames } from '../network/frames.js';
import { spreadOf, type WireTimes, wireTimes } from '../network/wire-times.js';
import type { Setting } from '../processes/setting.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

/** How many codes each scenario sends in all runs together. */
const codesOfAllRuns = 200;
const codesBehindSilence = 40;
const fewestSilent = 14;
const gapMs = { least: 200, most: 500 };
/** More messages than a device sends per second of its codes, so that the broadcast lasts longer. */
const waitingPerSecond = { fast: 2_500, paced: 10, released: 2_000 };
const perBulk = 1_000;
const pace = { pace_per_minute: 60, pace_jitter_ms: 200, typing_ms: 0 };
/** The default of `KURIR_ACK_TIMEOUT_MS`, which this study keeps. */
const ackTimeout = '10 s';
const onTheWireWithinMs = 240_000;

const scenarios = {
  idle: 'idle device',
  fast: 'bulk without a pace',
  paced: 'bulk at 60/min',
  released: 'broadcast without a pace',
  silent: `no answer to the message in front (timeout ${ackTimeout})`,
} as const;
type Scenario = keyof typeof scenarios;

type Stage = {
  readonly gateway: MeasuredGateway;
  readonly load: Load;
  readonly devices: Readonly<Record<Exclude<Scenario, 'silent'>, string>>;
  readonly silent: readonly string[];
  /** All four devices know these recipients. */
  readonly recipients: readonly string[];
  /** For each silent device, the recipient of the unanswered message. `behind` holds the recipients of the codes. */
  readonly fronts: readonly string[];
  readonly behind: readonly string[];
};

const randomGap = () => gapMs.least + Math.random() * (gapMs.most - gapMs.least);

const sendOne = (gateway: MeasuredGateway, deviceId: string, recipient: string, priority: 'otp' | 'normal') =>
  callMeasuredGateway(gateway, {
    deviceId,
    method: 'POST',
    target: '/api/v1/messages/send',
    body: { ...nextMessage(priority), phone_destination: recipient },
  });

async function sendBulk({ gateway, load }: Stage, deviceId: string, messages: number): Promise<void> {
  const { apiKey, apiSecret } = gateway.account;
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: Math.ceil(messages / perBulk),
    messages: perBulk,
    priority: 'bulk',
    apiKey,
    apiSecret,
    deviceIds: [deviceId],
  });
  await load.run({ port: gateway.apiPort, connections: 2, seconds: null });
}

/** Sends each code at its own time, even if the one before is not answered. */
async function streamCodes({ gateway, recipients }: Stage, deviceId: string): Promise<void> {
  const sending: Promise<void>[] = [];
  for (const recipient of recipients) {
    await sleep(randomGap());
    sending.push(sendOne(gateway, deviceId, recipient, 'otp'));
  }
  await Promise.all(sending);
}

async function measureStream(stage: Stage, frames: Frames, deviceId: string): Promise<WireTimes> {
  await streamCodes(stage, deviceId);
  return wireTimes(stage.gateway.database, frames, stage.recipients, onTheWireWithinMs);
}

async function behindMany(stage: Stage, frames: Frames, kind: 'fast' | 'paced' | 'released'): Promise<WireTimes> {
  const { gateway, recipients } = stage;
  const deviceId = stage.devices[kind];
  const messages = (waitingPerSecond[kind] * recipients.length * gapMs.most) / 1000;
  if (kind === 'released') await startBroadcast(gateway, deviceId, messages);
  else await sendBulk(stage, deviceId, messages);
  const isSending = async () => (await frames.read()).senders.has(deviceId);
  await waitUntil(isSending, { what: 'the broadcast is being sent', timeoutMs: 90_000, everyMs: 100 });
  const times = await measureStream(stage, frames, deviceId);
  if ((await countMessages(gateway.database, ['queued'])) === 0)
    throw new Error('the broadcast was over before the codes were');
  return times;
}

async function askNetwork({ gateway }: Stage, method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await fetch(`${gateway.network.url}/faults`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(fault === undefined ? {} : { body: JSON.stringify(fault) }),
  });
  if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`);
}

/** The network swallows every try of the unanswered message. The code is sent after the first try. */
async function codeBehindSilence(stage: Stage, frames: Frames, place: number): Promise<void> {
  const { gateway, silent, fronts, behind } = stage;
  const [deviceId = '', front = '', recipient = ''] = [silent[place], fronts[place], behind[place]];
  await askNetwork(stage, 'POST', { kind: 'swallow', device_id: deviceId, recipient: front, count: 1_000 });
  await sendOne(gateway, deviceId, front, 'normal');
  const isSwallowed = async () => (await frames.read()).swallowed.has(deviceId);
  await waitUntil(isSwallowed, { what: 'the network swallows a frame', everyMs: 50 });
  await sleep(randomGap());
  await sendOne(gateway, deviceId, recipient, 'otp');
}

async function behindSilence(stage: Stage, frames: Frames): Promise<WireTimes> {
  const { gateway, silent, behind } = stage;
  for (let place = 0; place < silent.length; place++) await codeBehindSilence(stage, frames, place);
  const times = await wireTimes(gateway.database, frames, behind, onTheWireWithinMs);
  await askNetwork(stage, 'DELETE');
  return times;
}

const measure: Readonly<Record<Scenario, (stage: Stage, frames: Frames) => Promise<WireTimes>>> = {
  idle: (stage, frames) => measureStream(stage, frames, stage.devices.idle),
  fast: (stage, frames) => behindMany(stage, frames, 'fast'),
  paced: (stage, frames) => behindMany(stage, frames, 'paced'),
  released: (stage, frames) => behindMany(stage, frames, 'released'),
  silent: behindSilence,
};
// Object.keys returns the keys of `measure` in their order.
const names = Object.keys(measure) as Scenario[];

/** Lets every device write to the recipients of its codes. Then one device gets its pace. */
async function getToKnow(stage: Stage): Promise<void> {
  const { gateway, devices, silent, recipients, fronts, behind } = stage;
  const frames = await openFrames(gateway.network);
  for (const deviceId of Object.values(devices)) {
    for (const recipient of recipients) await sendOne(gateway, deviceId, recipient, 'normal');
  }
  for (const [place, deviceId] of silent.entries())
    for (const list of [fronts, behind]) await sendOne(gateway, deviceId, list[place] ?? '', 'normal');
  if (!(await frames.reached([...recipients, ...fronts, ...behind], onTheWireWithinMs)))
    throw new Error('the devices did not write to everybody');
  await waitUntil(async () => (await countMessages(gateway.database, ['queued', 'sending'])) === 0, {
    what: 'every device knows its recipients',
    timeoutMs: onTheWireWithinMs,
    everyMs: 200,
  });
  await callMeasuredGateway(gateway, {
    deviceId: devices.paced,
    method: 'PATCH',
    target: '/api/v1/devices',
    body: pace,
  });
}

async function openStage(setting: Setting, runs: number): Promise<Stage> {
  const silentDevices = Math.max(fewestSilent, Math.ceil(codesBehindSilence / runs));
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices: 4 + silentDevices, pacePerMinute: null, network: 'simulator' }),
    startLoad(setting),
  ]);
  const [idle = '', fast = '', paced = '', released = '', ...silent] = gateway.deviceIds;
  return {
    gateway,
    load,
    devices: { idle, fast, paced, released },
    silent,
    recipients: numbersFrom('62816', Math.ceil(codesOfAllRuns / runs)),
    fronts: numbersFrom('62817', silentDevices),
    behind: numbersFrom('62818', silentDevices),
  };
}

function figuresOf(scenario: Scenario, runs: readonly WireTimes[], idle: readonly WireTimes[]): Figure[] {
  const name = `code, ${scenarios[scenario]}`;
  const all = (times: readonly WireTimes[]) => spreadOf(times.flatMap(({ ms }) => ms));
  const { p50, p99, max } = all(runs);
  const unit = { unit: 'ms', digits: 0 };
  return [
    { name: `${name}: p50`, value: p50, ...unit },
    { name: `${name}: p99`, value: p99, ...unit },
    { name: `${name}: longest`, value: max, ...unit },
    ...(scenario === 'idle' ? [] : [{ name: `${name}: p99 ÷ idle`, value: p99 / all(idle).p99, unit: '', digits: 1 }]),
    { name: `${name}: measured`, value: runs.flatMap(({ ms }) => ms).length, unit: 'codes', digits: 0 },
    {
      name: `${name}: not on the wire`,
      value: runs.reduce((sum, { missing }) => sum + missing, 0),
      unit: 'codes',
      digits: 0,
      atMost: 0,
    },
  ];
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const stage = await openStage(setting, runs);
  await getToKnow(stage);
  const found: Record<Scenario, WireTimes[]> = { idle: [], fast: [], paced: [], released: [], silent: [] };
  for (let n = 1; n <= runs; n++) {
    for (const name of names) {
      await forgetMessages(stage.gateway);
      const times = await measure[name](stage, await openFrames(stage.gateway.network));
      found[name].push(times);
      const { p50, p99, max } = spreadOf(times.ms);
      setting.tell(
        `codes: run ${n} of ${runs}, ${scenarios[name]}: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, longest ${max.toFixed(0)} ms`,
      );
    }
  }
  return names.flatMap((name) => figuresOf(name, found[name], found.idle));
}

export const codes: Study = { name: 'codes', run };
