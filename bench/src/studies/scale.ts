/**
 * `scale`: the same load with one and with two apis, and with one and with two workers. On a machine without idle cores
 * more processes only share the same CPU time. Then the CPU time per message is the useful figure.
 */
import { waitUntil } from '@kurir/testing';
import {
  type MeasuredGateway,
  startAnotherApi,
  startAnotherWorker,
  startMeasuredGateway,
} from '../gateway/measured-gateway.js';
import { forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import type { MeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import { type CpuUs, startClocks } from '../readings/cpu-time.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const devices = 100;
const connections = 128;
const requestsPerSecond = 10_000;
const perBulk = 100;
const bulksPerSecond = 60;

type Found = { readonly perSecond: number; readonly cpuUs: CpuUs };

const keysOf = ({ account }: MeasuredGateway) => ({ apiKey: account.apiKey, apiSecret: account.apiSecret });

/** The worker sends at the same time as part of the load. */
async function accept(
  gateway: MeasuredGateway,
  load: Load,
  apis: readonly { pid: number; port: number }[],
  seconds: number,
) {
  await forgetMessages(gateway);
  await load.prepare({
    ...keysOf(gateway),
    deviceIds: gateway.deviceIds,
    target: '/api/v1/messages/send',
    requests: requestsPerSecond * seconds,
    messages: 1,
    priority: 'normal',
  });
  const readClocks = startClocks(apis.map(({ pid }, i) => ({ name: `api ${i + 1}`, pid })));
  const port = apis.map((api) => api.port);
  const { answered, elapsedMs } = await load.run({ port, connections, seconds });
  return { perSecond: (answered * 1000) / elapsedMs, cpuUs: readClocks(answered) };
}

/** Measures from the first request to the last stored state. */
async function deliver(
  gateway: MeasuredGateway,
  load: Load,
  workers: readonly MeasuredProcess[],
  seconds: number,
): Promise<Found> {
  await forgetMessages(gateway);
  const requests = bulksPerSecond * seconds;
  await load.prepare({
    ...keysOf(gateway),
    deviceIds: gateway.deviceIds,
    target: '/api/v1/messages/bulk',
    requests,
    messages: perBulk,
    priority: 'normal',
  });
  const messages = requests * perBulk;
  const readClocks = startClocks(workers.map(({ pid }, i) => ({ name: `worker ${i + 1}`, pid })));
  const startedAt = performance.now();
  await load.run({ port: gateway.apiPort, connections: 4, seconds: null });
  await untilAllAre(gateway.database, 'read', messages);
  return { perSecond: (messages * 1000) / (performance.now() - startedAt), cpuUs: readClocks(messages) };
}

async function repeated(runs: number, work: () => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (let n = 0; n < runs; n++) found.push(await work());
  return found;
}

function figuresOf(name: string, unit: string, found: readonly Found[]): Figure[] {
  const rates = found.map((one) => one.perSecond);
  const total = ({ cpuUs }: Found) => Object.values(cpuUs).reduce((sum, us) => sum + us, 0);
  const cpu = median(found.map(total));
  return [
    { name, value: median(rates), unit, digits: 0 },
    { name: `${name}: lowest of the runs`, value: Math.min(...rates), unit, digits: 0 },
    { name: `${name}: highest of the runs`, value: Math.max(...rates), unit, digits: 0 },
    { name: `${name}: CPU per message, together`, value: cpu === 0 ? null : cpu, unit: 'µs', digits: 0 },
  ];
}

/** Waits until the new worker has taken its share of the devices. */
async function untilShared({ database }: MeasuredGateway): Promise<void> {
  const areShared = async () => {
    const { rows } = await database.pool.query<{ fewest: number; owners: number; connected: number }>(
      `SELECT min(n)::int AS fewest, count(*)::int AS owners,
              (SELECT count(*)::int FROM devices WHERE state = 'connected') AS connected
       FROM (SELECT owner, count(*) AS n FROM device_leases WHERE owner IS NOT NULL GROUP BY owner) held`,
    );
    const [row] = rows;
    return row?.owners === 2 && row.fewest >= devices / 2 - 2 && row.connected === devices;
  };
  await waitUntil(areShared, { what: 'two workers share the devices', timeoutMs: 90_000, everyMs: 500 });
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute: null, network: 'simulator' }),
    startLoad(setting),
  ]);
  const { seconds } = setting;
  const first = { pid: gateway.api.pid, port: gateway.apiPort };
  await accept(gateway, load, [first], 1);
  const oneApi = await repeated(runs, () => accept(gateway, load, [first], seconds));
  setting.tell('one api is measured');
  const second = await startAnotherApi(setting, gateway);
  const twoApis = await repeated(runs, () => accept(gateway, load, [first, second], seconds));
  setting.tell('two apis are measured');
  await deliver(gateway, load, [gateway.worker], 1);
  const oneWorker = await repeated(runs, () => deliver(gateway, load, [gateway.worker], seconds));
  setting.tell('one worker is measured');
  const another = await startAnotherWorker(setting, gateway);
  await untilShared(gateway);
  const twoWorkers = await repeated(runs, () => deliver(gateway, load, [gateway.worker, another], seconds));
  return [
    ...figuresOf('one api accepts', 'messages/s', oneApi),
    ...figuresOf('two apis accept', 'messages/s', twoApis),
    ...figuresOf('one worker delivers', 'messages/s', oneWorker),
    ...figuresOf('two workers deliver', 'messages/s', twoWorkers),
  ];
}

export const scale: Study = { name: 'scale', run };
