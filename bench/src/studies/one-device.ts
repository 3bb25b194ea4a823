/**
 * `device`: how many messages one device sends without a pace. The device sends one message after the other, so the
 * time of a claim, a write and an acknowledgement is the limit.
 */
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import { type CpuUs, startClocks } from '../readings/cpu-time.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const perBulk = 100;
const bulksPerSecond = 3;

type Found = {
  readonly perSecond: number;
  /** The mean time from the claim of a message to its acknowledgement by the network, both as stored. */
  readonly answeredMs: number;
  readonly cpuUs: CpuUs;
};

/** `spanMs` is the time from the first claim to the last acknowledgement. Receipts arrive during the next messages. */
async function readTimes({ database }: MeasuredGateway): Promise<{ spanMs: number; answeredMs: number }> {
  const { rows } = await database.pool.query<{ spanMs: number; answeredMs: number }>(
    `SELECT (extract(epoch FROM max(sent.at) - min(claimed.at)) * 1000)::float8 AS "spanMs",
            (avg(extract(epoch FROM sent.at - claimed.at)) * 1000)::float8 AS "answeredMs"
     FROM message_events claimed JOIN message_events sent USING (message_id)
     WHERE claimed.status = 'sending' AND sent.status = 'sent'`,
  );
  return rows[0] ?? { spanMs: Number.NaN, answeredMs: Number.NaN };
}

async function sendAll(gateway: MeasuredGateway, load: Load, seconds: number): Promise<Found> {
  const { account, deviceIds, database } = gateway;
  await forgetMessages(gateway);
  const requests = bulksPerSecond * seconds;
  const messages = requests * perBulk;
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests,
    messages: perBulk,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  const readClocks = startClocks(gateway.clocked('worker', load));
  await load.run({ port: gateway.apiPort, connections: 1, seconds: null });
  await untilAllAre(database, 'read', messages);
  const cpuUs = readClocks(messages);
  const { spanMs, answeredMs } = await readTimes(gateway);
  return { perSecond: (messages * 1000) / spanMs, answeredMs, cpuUs };
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices: 1, pacePerMinute: null }),
    startLoad(setting),
  ]);
  await sendAll(gateway, load, 1);
  const found: Found[] = [];
  while (found.length < runs) {
    found.push(await sendAll(gateway, load, setting.seconds));
    setting.tell(`device: run ${found.length} of ${runs}: ${Math.round(found.at(-1)?.perSecond ?? 0)} messages/s`);
  }
  const rates = found.map(({ perSecond }) => perSecond);
  const cpu = median(found.map(({ cpuUs }) => Object.values(cpuUs).reduce((sum, us) => sum + us, 0)));
  return [
    { name: 'one device sends', value: median(rates), unit: 'messages/s', digits: 0 },
    { name: 'lowest of the runs', value: Math.min(...rates), unit: 'messages/s', digits: 0 },
    { name: 'highest of the runs', value: Math.max(...rates), unit: 'messages/s', digits: 0 },
    { name: 'from one message to the next', value: 1000 / median(rates), unit: 'ms', digits: 2 },
    {
      name: 'from its claim to its acknowledgement',
      value: median(found.map(({ answeredMs }) => answeredMs)),
      unit: 'ms',
      digits: 2,
    },
    { name: 'CPU per message, all processes', value: cpu === 0 ? null : cpu / 1000, unit: 'ms', digits: 2 },
  ];
}

export const oneDevice: Study = { name: 'device', run };
