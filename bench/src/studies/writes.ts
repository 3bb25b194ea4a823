/**
 * `writes`: how much Postgres writes for a message. It measures a message that is accepted alone, a message that is
 * accepted in a bulk, and a message that is sent, with its receipts. Writes are the main cost of a busy installation,
 * and they do not depend on the machine.
 */
import { callMeasuredGateway } from '../gateway/call-gateway.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { checkStored, forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import { meterWrites } from '../readings/write-meter.js';
import type { Figure } from '../report/figures.js';
import { writeFigures } from '../report/write-figures.js';
import type { Study } from './study.js';

const devices = 10;
/** The worker sends almost nothing before `sendAll`. */
const pacePerMinute = 1;
const singles = { requests: 3_000, messages: 1, connections: 128 };
const bulks = { requests: 5, messages: 1_000, connections: 4 };

type Stage = { readonly gateway: MeasuredGateway; readonly load: Load };

async function accept({ gateway, load }: Stage, { requests, messages, connections }: typeof singles): Promise<void> {
  const { account, deviceIds } = gateway;
  await load.prepare({
    target: messages === 1 ? '/api/v1/messages/send' : '/api/v1/messages/bulk',
    requests,
    messages,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  await load.run({ port: gateway.apiPort, connections, seconds: null });
}

/** Removes the pace of the devices, so that the worker sends every stored message. */
async function sendAll({ gateway }: Stage, messages: number): Promise<void> {
  for (const deviceId of gateway.deviceIds)
    await callMeasuredGateway(gateway, {
      deviceId,
      method: 'PATCH',
      target: '/api/v1/devices',
      body: { pace_per_minute: null },
    });
  await untilAllAre(gateway.database, 'read', messages);
}

async function run(setting: Setting): Promise<Figure[]> {
  const [gateway, load] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute, network: 'simulator' }),
    startLoad(setting),
  ]);
  const stage: Stage = { gateway, load };
  const { database } = gateway;
  // The first writes after a checkpoint contain whole pages.
  await accept(stage, singles);
  await forgetMessages(gateway);
  const [ofSingles, ofBulks] = [singles.requests, bulks.requests * bulks.messages];
  const alone = await meterWrites(database, () => accept(stage, singles));
  setting.tell(`writes: ${ofSingles} messages are accepted alone`);
  const inBulk = await meterWrites(database, () => accept(stage, bulks));
  await checkStored(database, ofSingles + ofBulks);
  setting.tell(`writes: ${ofBulks} messages are accepted in bulks`);
  const sent = await meterWrites(database, () => sendAll(stage, ofSingles + ofBulks));
  return [
    ...writeFigures('accepted alone', alone, ofSingles),
    ...writeFigures('accepted in a bulk', inBulk, ofBulks),
    ...writeFigures('sent, with its receipts', sent, ofSingles + ofBulks),
  ];
}

export const writes: Study = { name: 'writes', run };
