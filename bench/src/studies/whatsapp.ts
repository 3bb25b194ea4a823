/**
 * `whatsapp`: messages through api, worker, driver and relay to people that the devices know, against plain Baileys on
 * the same relay. Our side stores keys and states; plain Baileys keeps its keys in memory. Then the study measures the
 * writes of Postgres for one message. On request it sends many more messages and observes the worker's memory.
 */
import type { BareRequest, BareSent } from '../bare/baileys.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { checkStored, forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { type Comparison, compare } from '../measures/compare.js';
import type { Measure, Sample, Sides } from '../measures/measure.js';
import { checkRelayCosts, type RelayCosts, readRelayCosts } from '../network/relay-costs.js';
import { startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import { startClocks } from '../readings/cpu-time.js';
import { median } from '../readings/percentile.js';
import { slope } from '../readings/slope.js';
import type { Memory } from '../readings/tell-memory.js';
import { meterWrites } from '../readings/write-meter.js';
import type { Figure } from '../report/figures.js';
import { writeFigures } from '../report/write-figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const devices = 10;
const people = 50;
/** Both sides run for about the same time: bare messages are cheap, so the bare side gets more of them. */
const perDeviceAndSecond = 30;
const barePerDeviceAndSecond = 90;
const perBulk = 50;
const connections = 4;
const meteredMessages = 1_000;
const soakStep = 2_000;
const tellMemory = new URL('../readings/tell-memory.js', import.meta.url).href;

/** Possible numbers that are not the phone of a device on either side. */
const recipients = Array.from({ length: people }, (_, n) => `62815${String(n).padStart(7, '0')}1`);

type Ours = { readonly gateway: MeasuredGateway; readonly load: Load };

/**
 * Creates people whose phones report each message without decrypting it. Decrypting would take CPU time from the
 * worker.
 */
async function makePeople({ network }: MeasuredGateway): Promise<void> {
  for (const number of recipients) await fetch(`${network.url}/phones/${number}/deliveries`, { method: 'POST' });
}

/** Posts `messages` messages and waits until `stored` messages are delivered. Returns the time of that. */
async function sendAll({ gateway, load }: Ours, messages: number, stored: number): Promise<number> {
  const { account, deviceIds, database, apiPort } = gateway;
  const { apiKey, apiSecret } = account;
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: messages / perBulk,
    messages: perBulk,
    priority: 'normal',
    apiKey,
    apiSecret,
    deviceIds,
    recipients,
  });
  const startedAt = Date.now();
  await load.run({ port: apiPort, connections, seconds: null });
  await checkStored(database, stored);
  await untilAllAre(database, 'delivered', stored);
  const { rows } = await database.pool.query<{ at: Date }>('SELECT max(at) AS at FROM message_events');
  return (rows[0]?.at.getTime() ?? Number.NaN) - startedAt;
}

async function runOurs(ours: Ours, perDevice: number): Promise<Sample> {
  const { network } = ours.gateway;
  const messages = perDevice * devices;
  await forgetMessages(ours.gateway);
  const before: RelayCosts = await readRelayCosts(network);
  const readClocks = startClocks(ours.gateway.clocked('worker', ours.load));
  const elapsedMs = await sendAll(ours, messages, messages);
  const cpuUs = readClocks(messages);
  checkRelayCosts(before, await readRelayCosts(network), messages);
  return { perSecond: (messages * 1000) / elapsedMs, cpuUs };
}

async function openBase(
  setting: Setting,
  { network }: MeasuredGateway,
): Promise<(perDevice: number) => Promise<Sample>> {
  const bare = await startMeasuredProcess(setting, {
    path: 'bench/dist/bare/baileys.js',
    env: {
      RELAY_URL: network.env['KURIR_WHATSAPP_URL'] ?? '',
      RELAY_ROOT_KEY: network.env['KURIR_WHATSAPP_ROOT_KEY'] ?? '',
      RELAY_PHONES: network.url,
    },
    measuredAs: 'bare-baileys',
  });
  const ask = <Answer>(request: BareRequest) => bare.ask<Answer>(request);
  await ask({ kind: 'link', devices });
  return async (perDevice) => {
    const messages = perDevice * devices;
    const readClocks = startClocks([{ name: 'bare', pid: bare.pid }]);
    const { elapsedMs } = await ask<BareSent>({ kind: 'send', perDevice, recipients });
    return { perSecond: (messages * 1000) / elapsedMs, cpuUs: readClocks(messages) };
  };
}

async function openOurs(setting: Setting): Promise<Ours> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, {
      devices,
      pacePerMinute: null,
      network: 'whatsapp',
      workerEnv: { NODE_OPTIONS: `--import ${tellMemory}` },
    }),
    startLoad(setting),
  ]);
  await makePeople(gateway);
  // Lets every device get to know every person.
  await sendAll({ gateway, load }, devices * people, devices * people);
  setting.tell(`each of ${devices} devices knows ${people} people`);
  return { gateway, load };
}

async function openSides(setting: Setting, ours: Ours): Promise<Sides> {
  const runBase = await openBase(setting, ours.gateway);
  await runBase(people);
  return {
    ours: () => runOurs(ours, perDeviceAndSecond * setting.seconds),
    base: () => runBase(barePerDeviceAndSecond * setting.seconds),
  };
}

type Step = { readonly sent: number; readonly memory: Memory };

async function soak(setting: Setting, ours: Ours, sends: number): Promise<Step[]> {
  await forgetMessages(ours.gateway);
  const steps: Step[] = [];
  for (let sent = soakStep; sent <= sends; sent += soakStep) {
    await sendAll(ours, soakStep, sent);
    steps.push({ sent, memory: await ours.gateway.worker.ask<Memory>({}) });
    setting.tell(`${sent} of ${sends} messages are delivered`);
  }
  return steps;
}

/** Measures from the first request to the last receipt. */
async function measureWrites(ours: Ours): Promise<Figure[]> {
  await forgetMessages(ours.gateway);
  const writes = await meterWrites(ours.gateway.database, () => sendAll(ours, meteredMessages, meteredMessages));
  return writeFigures('accepted, sent and delivered', writes, meteredMessages);
}

function cpuFigures({ oursCpuUs, baseCpuUs, cpuRatios }: Comparison): Figure[] {
  const milliseconds = (us = Number.NaN) => ({ value: Number.isNaN(us) ? null : us / 1000, unit: 'ms', digits: 2 });
  const ratio = (of: (ratios: readonly number[]) => number) => ({
    value: cpuRatios.length === 0 ? null : of(cpuRatios),
    unit: '',
    digits: 2,
  });
  return [
    { name: 'CPU per message in the worker', ...milliseconds(oursCpuUs['worker']) },
    { name: 'CPU per message of plain Baileys', ...milliseconds(baseCpuUs['bare']) },
    { name: 'CPU ratio', ...ratio(median), atMost: 1.4 },
    { name: 'CPU ratio, lowest of the runs', ...ratio((ratios) => Math.min(...ratios)) },
    { name: 'CPU ratio, highest of the runs', ...ratio((ratios) => Math.max(...ratios)) },
  ];
}

function rateFigures({ ours, base, ratio, lowestRatio, highestRatio }: Comparison): Figure[] {
  return [
    { name: 'through Kurir, one worker', value: ours, unit: 'messages/s', digits: 0 },
    { name: 'plain Baileys, keys in memory', value: base, unit: 'messages/s', digits: 0 },
    { name: 'rate ratio', value: ratio, unit: '', digits: 2 },
    { name: 'rate ratio, lowest of the runs', value: lowestRatio, unit: '', digits: 2 },
    { name: 'rate ratio, highest of the runs', value: highestRatio, unit: '', digits: 2 },
  ];
}

const megabyte = 1e6;

function memoryFigures(steps: readonly Step[]): Figure[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const resident = ({ memory }: Step) => memory.residentAfterCollectionBytes / megabyte;
  const heap = ({ memory }: Step) => memory.heapBytes / megabyte;
  const per1000 = (of: (step: Step) => number) => slope(steps.map((step) => ({ x: step.sent / 1_000, y: of(step) })));
  return [
    { name: `worker after ${first.sent} sends: resident`, value: resident(first), unit: 'MB', digits: 1 },
    { name: `worker after ${last.sent} sends: resident`, value: resident(last), unit: 'MB', digits: 1 },
    { name: 'resident per 1,000 sends', value: per1000(resident), unit: 'MB', digits: 2, atMost: 0.5 },
    { name: 'heap per 1,000 sends', value: per1000(heap), unit: 'MB', digits: 2, atMost: 0.1 },
  ];
}

async function run(setting: Setting, options: Options): Promise<Figure[]> {
  const ours = await openOurs(setting);
  const open = (): Promise<Sides> => openSides(setting, ours);
  const measure: Measure = { name: 'whatsapp', unit: 'messages/s', target: null, open };
  const comparison = await compare(measure, setting, options.runs);
  const figures = [...cpuFigures(comparison), ...rateFigures(comparison), ...(await measureWrites(ours))];
  if (options.sends === null) return figures;
  return [...figures, ...memoryFigures(await soak(setting, ours, options.sends))];
}

export const whatsapp: Study = { name: 'whatsapp', run };
