/**
 * `events`: how fast and how soon webhooks get their events, what they cost, and whether a webhook that is dead or slow
 * delays the others. The receiver is a process on the same machine.
 */
import { startMeasuredGateway } from '../gateway/measured-gateway.js';
import { startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import type { Figure } from '../report/figures.js';
import { measureAddedCost } from '../webhooks/added-cost.js';
import { measureCommitToPost } from '../webhooks/commit-to-post.js';
import { measureDeliveries } from '../webhooks/deliveries.js';
import { startReceiver } from '../webhooks/receiving.js';
import { createTenants, sealerOf, type WebhookStage } from '../webhooks/tenants.js';
import { measureTroubled } from '../webhooks/troubled.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const devices = 10;
const tenants = 5;

async function openStage(setting: Setting): Promise<WebhookStage> {
  const workerEnv = { KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback' };
  const [gateway, load, receiver] = await Promise.all([
    startMeasuredGateway(setting, { devices, pacePerMinute: null, network: 'simulator', workerEnv }),
    startLoad(setting),
    startReceiver(setting),
  ]);
  const sealer = sealerOf(gateway);
  return { setting, gateway, load, receiver, sealer, tenants: await createTenants(setting, gateway, tenants) };
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const stage = await openStage(setting);
  return [
    ...(await measureDeliveries(stage, runs)),
    ...(await measureCommitToPost(stage)),
    ...(await measureTroubled(stage)),
    ...(await measureAddedCost(stage)),
  ];
}

export const events: Study = { name: 'events', run };
