/**
 * What a message makes Postgres write: when it is accepted alone, when it is accepted in a bulk, and when it is sent,
 * with the receipts. These are the dear part of a busy installation, and they do not depend on the machine.
 */
import { callProduct } from './call-gateway.js';
import { type Load, startLoad } from './load.js';
import type { Setting } from './measure.js';
import { type Product, startProduct } from './product.js';
import { checkStored, forgetMessages, untilAllAre } from './stored-messages.js';
import type { Figure, Study } from './study.js';
import { writeFigures } from './write-figures.js';
import { meterWrites } from './write-meter.js';

const devices = 10;
/** Next to nothing is sent before its time. */
const pacePerMinute = 1;
const singles = { requests: 3_000, messages: 1, connections: 128 };
const bulks = { requests: 5, messages: 1_000, connections: 4 };

type Stage = { readonly product: Product; readonly load: Load };

async function accept({ product, load }: Stage, { requests, messages, connections }: typeof singles): Promise<void> {
  const { customer, deviceIds } = product;
  await load.prepare({
    target: messages === 1 ? '/api/v1/messages/send' : '/api/v1/messages/bulk',
    requests,
    messages,
    priority: 'normal',
    apiKey: customer.apiKey,
    apiSecret: customer.apiSecret,
    deviceIds,
  });
  await load.run({ port: product.apiPort, connections, seconds: null });
}

/** The devices lose their pace, and all that is stored goes out. */
async function sendAll({ product }: Stage, messages: number): Promise<void> {
  for (const deviceId of product.deviceIds)
    await callProduct(product, {
      deviceId,
      method: 'PATCH',
      target: '/api/v1/devices',
      body: { pace_per_minute: null },
    });
  await untilAllAre(product.database, 'read', messages);
}

async function run(setting: Setting): Promise<Figure[]> {
  const [product, load] = await Promise.all([
    startProduct(setting, { devices, pacePerMinute, network: 'simulator' }),
    startLoad(setting),
  ]);
  const stage: Stage = { product, load };
  const { database } = product;
  // The first writes after a checkpoint carry whole pages.
  await accept(stage, singles);
  await forgetMessages(product);
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
