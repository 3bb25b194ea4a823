/** Whether a webhook that is dead and one that is slow delay the events of the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetMessages } from '../gateway/stored-messages.js';
import { spreadOf } from '../network/wire-times.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import { type Accepted, postTimes, sendOne } from './commit-to-post.js';
import { createEndpoints, type Endpoint, remove, untilReady, type WebhookStage } from './tenants.js';

const endpointsOfTenant = 20;
const messages = 400;
const gapMs = 40;
const rounds = 3;

/** Sends messages of all accounts in turn. Returns the p99 of the healthy webhooks. */
async function sendAll(stage: WebhookStage, unwell: readonly string[], isTroubled: boolean): Promise<number> {
  const { receiver, tenants } = stage;
  await receiver.forget();
  const accepted = new Map<string, Accepted>();
  const sending: Promise<void>[] = [];
  for (let n = 0; n < messages; n++) {
    await sleep(gapMs);
    const tenant = tenants[n % tenants.length];
    if (tenant !== undefined) sending.push(sendOne(stage, tenant, accepted));
  }
  await Promise.all(sending);
  const ofOneWebhook = messages / tenants.length;
  const healthy = endpointsOfTenant * tenants.length - (isTroubled ? unwell.length : 0);
  await receiver.untilTaken(healthy * ofOneWebhook);
  return spreadOf((await postTimes(stage, accepted, unwell)).fromRequest).p99;
}

async function open(stage: WebhookStage): Promise<Endpoint[]> {
  const types = ['message.accepted', 'webhook.ping'] as const;
  const endpoints: Endpoint[] = [];
  for (const tenant of stage.tenants)
    endpoints.push(...(await createEndpoints(stage, tenant, { count: endpointsOfTenant, types })));
  await untilReady(stage, endpoints);
  return endpoints;
}

type Round = { readonly before: number; readonly during: number };

async function measureOnce(stage: WebhookStage): Promise<Round> {
  await forgetMessages(stage.gateway);
  const endpoints = await open(stage);
  // Both belong to the first account.
  const [dead = '', slow = ''] = endpoints.map(({ path }) => path);
  const before = await sendAll(stage, [dead, slow], false);
  await stage.receiver.trouble({ dead, slow });
  const during = await sendAll(stage, [dead, slow], true);
  await stage.receiver.trouble({ dead: null, slow: null });
  await remove(stage, endpoints);
  return { before, during };
}

export async function measureTroubled(stage: WebhookStage): Promise<Figure[]> {
  const found: Round[] = [];
  while (found.length < rounds) {
    const round = await measureOnce(stage);
    found.push(round);
    stage.setting.tell(
      `events: p99 of healthy webhooks ${round.before} ms, with a dead and a slow one ${round.during} ms`,
    );
  }
  const all = endpointsOfTenant * stage.tenants.length;
  const unit = { unit: 'ms', digits: 0 };
  return [
    { name: `${all} webhooks, from the request to the post: p99`, value: median(found.map((r) => r.before)), ...unit },
    { name: 'the same, 1 dead and 1 slow: p99 of the others', value: median(found.map((r) => r.during)), ...unit },
    {
      name: 'p99 with a dead and a slow one ÷ without',
      value: median(found.map(({ before, during }) => during / before)),
      unit: '',
      digits: 2,
      atMost: 1.2,
    },
  ];
}
