/**
 * `otp`: one-time codes as a service sends them, at a steady rate on several devices, from accepted to on the wire. The
 * study sends them alone, with a broadcast waiting on the same devices, with a broadcast waiting on other devices, and
 * during bulk requests. No device has a pace, so the worker sends the broadcasts as fast as it can.
 */
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { countMessages, forgetMessages } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { numbersFrom } from '../load/numbers.js';
import type { RequestPlan } from '../load/prepare-requests.js';
import { openFrames } from '../network/frames.js';
import { type Spread, spreadOf, wireTimes } from '../network/wire-times.js';
import type { Setting } from '../processes/setting.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const otpDevices = 10;
const otherDevices = 10;
const perSecondAndDevice = 20;
/** With fewer codes a 99th percentile means nothing. */
const fewestSeconds = 5;
const connections = 64;
const waiting = 100_000;
const perBulk = 1_000;
/** More than the api accepts. */
const bulksPerSecond = 30;
const onTheWireWithinMs = 120_000;
/** A p99 that nobody notices is good, whatever the ratio. */
const goodMs = 100;

type Stage = { readonly gateway: MeasuredGateway; readonly load: Load; readonly bulks: Load; readonly seconds: number };
type Found = Spread & { readonly missing: number };

const ownDevices = ({ deviceIds }: MeasuredGateway) => deviceIds.slice(0, otpDevices);
const others = ({ deviceIds }: MeasuredGateway) => deviceIds.slice(otpDevices);

const planOf = ({ account }: MeasuredGateway, deviceIds: readonly string[]) => ({
  apiKey: account.apiKey,
  apiSecret: account.apiSecret,
  deviceIds,
});

const broadcasts = (gateway: MeasuredGateway, deviceIds: readonly string[], requests: number): RequestPlan => ({
  ...planOf(gateway, deviceIds),
  target: '/api/v1/messages/bulk',
  requests,
  messages: perBulk,
  priority: 'bulk',
});

/** Starts `meanwhile` together with the codes. */
async function sendCodes(stage: Stage, meanwhile: () => Promise<unknown> = async () => undefined): Promise<Found> {
  const { gateway, load, seconds } = stage;
  const perSecond = perSecondAndDevice * otpDevices;
  const recipients = numbersFrom('62816', perSecond * seconds);
  await load.prepare({
    ...planOf(gateway, ownDevices(gateway)),
    target: '/api/v1/messages/send',
    requests: recipients.length,
    messages: 1,
    priority: 'otp',
    recipients,
  });
  const frames = await openFrames(gateway.network);
  await Promise.all([load.run({ port: gateway.apiPort, connections, seconds: null, perSecond }), meanwhile()]);
  const { ms, missing } = await wireTimes(gateway.database, frames, recipients, onTheWireWithinMs);
  return { ...spreadOf(ms), missing };
}

async function withBacklog(stage: Stage, deviceIds: readonly string[]): Promise<Found> {
  const { gateway, bulks } = stage;
  await bulks.prepare(broadcasts(gateway, deviceIds, waiting / perBulk));
  await bulks.run({ port: gateway.apiPort, connections: 4, seconds: null });
  const found = await sendCodes(stage);
  // The broadcast must last longer than the codes, otherwise the figure has a wrong name.
  if ((await countMessages(gateway.database, ['queued'])) === 0)
    throw new Error('the broadcast was over before the codes were');
  return found;
}

async function duringBulks(stage: Stage): Promise<Found> {
  const { gateway, bulks, seconds } = stage;
  await bulks.prepare(broadcasts(gateway, others(gateway), bulksPerSecond * seconds));
  return sendCodes(stage, () => bulks.run({ port: gateway.apiPort, connections: 2, seconds }));
}

const alone = 'nothing else';
const conditions: Readonly<Record<string, (stage: Stage) => Promise<Found>>> = {
  [alone]: (stage) => sendCodes(stage),
  '100,000 waiting on the same devices': (stage) => withBacklog(stage, ownDevices(stage.gateway)),
  '100,000 waiting on other devices': (stage) => withBacklog(stage, others(stage.gateway)),
  'bulks being accepted': duringBulks,
};
const names = Object.keys(conditions);

/** The result of each condition, by its name. */
type Run = Readonly<Record<string, Found>>;

const p99Of = (run: Run, name: string) => run[name]?.p99 ?? Number.NaN;

/** The target is met by the ratio or by the time itself, whichever is better. */
function figuresOf(name: string, runs: readonly Run[]): Figure[] {
  const p99s = runs.map((run) => p99Of(run, name));
  const idleP99 = median(runs.map((run) => p99Of(run, alone)));
  const ratio = median(runs.map((run) => p99Of(run, name) / p99Of(run, alone)));
  const unit = { unit: 'ms', digits: 0 };
  return [
    { name: `otp, ${name}: p50`, value: median(runs.map((run) => run[name]?.p50 ?? Number.NaN)), ...unit },
    {
      name: `otp, ${name}: p99`,
      value: median(p99s),
      ...unit,
      ...(name === alone ? {} : { atMost: Math.round(Math.max(goodMs, 2 * idleP99)) }),
    },
    { name: `otp, ${name}: p99, lowest of the runs`, value: Math.min(...p99s), ...unit },
    { name: `otp, ${name}: p99, highest of the runs`, value: Math.max(...p99s), ...unit },
    ...(name === alone ? [] : [{ name: `otp, ${name}: p99 ÷ alone`, value: ratio, unit: '', digits: 2 }]),
    {
      name: `otp, ${name}: not on the wire`,
      value: runs.reduce((sum, run) => sum + (run[name]?.missing ?? 0), 0),
      unit: 'codes',
      digits: 0,
      atMost: 0,
    },
  ];
}

/** Starts each run with another condition, so that the start of a run does not always affect the same one. */
async function runOnce(stage: Stage, begin: number): Promise<Run> {
  const found: Record<string, Found> = {};
  const all = Object.entries(conditions);
  const at = begin % all.length;
  for (const [name, work] of [...all.slice(at), ...all.slice(0, at)]) {
    await forgetMessages(stage.gateway);
    found[name] = await work(stage);
  }
  return found;
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const [gateway, load, bulks] = await Promise.all([
    startMeasuredGateway(setting, { devices: otpDevices + otherDevices, pacePerMinute: null, network: 'simulator' }),
    startLoad(setting),
    startLoad(setting),
  ]);
  const stage: Stage = { gateway, load, bulks, seconds: Math.max(fewestSeconds, setting.seconds) };
  await sendCodes(stage);
  const found: Run[] = [];
  while (found.length < runs) {
    const once = await runOnce(stage, found.length);
    found.push(once);
    const p99s = names.map((name) => p99Of(once, name).toFixed(0)).join(', ');
    setting.tell(`otp: run ${found.length} of ${runs}: p99 ${p99s} ms`);
  }
  return names.flatMap((name) => figuresOf(name, found));
}

export const otp: Study = { name: 'otp', run };
