/**
 * How many events the worker delivers in a second, and how many rows it writes for them. The events are stored before the
 * webhooks are enabled, so nothing but the delivery takes place.
 */
import { forgetMessages } from '../gateway/stored-messages.js';
import { median } from '../readings/percentile.js';
import { meterWrites } from '../readings/write-meter.js';
import type { Figure } from '../report/figures.js';
import { createEndpoints, type Endpoint, enable, firstTenant, remove, type WebhookStage } from './tenants.js';

const bulks = 5;
const perBulk = 1_000;
const events = bulks * perBulk;
const manyEndpoints = 10;

/** Stores the events of accepted messages for webhooks that are still disabled. */
async function layOut(stage: WebhookStage, count: number): Promise<Endpoint[]> {
  const { gateway, load } = stage;
  const { account, deviceIds } = firstTenant(stage);
  await forgetMessages(gateway);
  const endpoints = await createEndpoints(stage, { account }, { count, types: ['message.accepted'], enabled: false });
  await load.prepare({
    target: '/api/v1/messages/bulk',
    requests: bulks,
    messages: perBulk,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  await load.run({ port: gateway.apiPort, connections: 4, seconds: null });
  return endpoints;
}

/** Returns the rate from the first post to the last one. */
async function deliver(stage: WebhookStage, endpoints: readonly Endpoint[]): Promise<number> {
  await stage.receiver.forget();
  await enable(stage, endpoints);
  const { taken, firstAt, lastAt } = await stage.receiver.untilTaken(endpoints.length * events);
  return (taken * 1000) / (lastAt - firstAt);
}

async function deliverOnce(stage: WebhookStage, count: number): Promise<number> {
  const endpoints = await layOut(stage, count);
  const rate = await deliver(stage, endpoints);
  await remove(stage, endpoints);
  return rate;
}

async function meterRows(stage: WebhookStage): Promise<number> {
  const endpoints = await layOut(stage, manyEndpoints);
  const { inserted, updated, deleted } = await meterWrites(stage.gateway.database, () => deliver(stage, endpoints));
  await remove(stage, endpoints);
  return (inserted + updated + deleted) / (manyEndpoints * events);
}

export async function measureDeliveries(stage: WebhookStage, runs: number): Promise<Figure[]> {
  const [one, many]: [number[], number[]] = [[], []];
  await deliverOnce(stage, 1);
  while (many.length < runs) {
    one.push(await deliverOnce(stage, 1));
    many.push(await deliverOnce(stage, manyEndpoints));
    const rates = [one, many].map((all) => Math.round(all.at(-1) ?? Number.NaN)).join(' and ');
    stage.setting.tell(`events: run ${many.length} of ${runs}: 1 and ${manyEndpoints} webhooks: ${rates} deliveries/s`);
  }
  const rows = await meterRows(stage);
  return [
    { name: 'delivered to 1 webhook', value: median(one), unit: 'deliveries/s', digits: 0 },
    {
      name: `delivered to ${manyEndpoints} webhooks`,
      value: median(many),
      unit: 'deliveries/s',
      digits: 0,
      atLeast: 3_000,
    },
    {
      name: 'rows written for a delivery',
      value: rows,
      unit: 'rows',
      digits: 3,
      atMost: 0.05,
    },
  ];
}
