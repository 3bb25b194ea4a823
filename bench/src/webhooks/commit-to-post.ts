/**
 * The time from the commit of an event to its post. The commit lies between the request that accepts a message and the
 * answer to it. The client notes both, so the time from the request is never too short, and that from the answer never
 * too long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callGateway } from '../gateway/call-gateway.js';
import { nextMessage } from '../load/prepare-requests.js';
import { type Spread, spreadOf } from '../network/wire-times.js';
import type { Figure } from '../report/figures.js';
import { createEndpoints, firstTenant, remove, type Tenant, untilReady, type WebhookStage } from './tenants.js';

const messages = 300;
/** Chosen at random, so that the messages do not keep step with a timer of the gateway. */
const gapMs = { least: 20, most: 120 };
const goodMs = 200;

/** The unix milliseconds at the client. */
export type Accepted = { readonly requestedAt: number; readonly answeredAt: number };

/** Sends a message. Adds its times to `accepted`, under its id. */
export async function sendOne(
  { gateway }: WebhookStage,
  { account: { apiKey, apiSecret }, deviceIds: [deviceId = ''] }: Tenant,
  accepted: Map<string, Accepted>,
): Promise<void> {
  const requestedAt = Date.now();
  const { success, message, data } = await callGateway({
    baseUrl: `http://127.0.0.1:${gateway.apiPort}`,
    apiKey,
    apiSecret,
    deviceId,
    method: 'POST',
    target: '/api/v1/messages/send',
    body: nextMessage('normal'),
  });
  if (!success) throw new Error(`a message was not accepted: ${message}`);
  accepted.set(data['job_id'] ?? '', { requestedAt, answeredAt: Date.now() });
}

export const randomGap = ({ least, most }: typeof gapMs): number => least + Math.random() * (most - least);

export type PostTimes = { readonly fromRequest: readonly number[]; readonly fromAnswer: readonly number[] };

/** Reads the posts of `message.accepted` that arrived at any path but `without`. */
export async function postTimes(
  { receiver }: WebhookStage,
  accepted: ReadonlyMap<string, Accepted>,
  without: readonly string[] = [],
): Promise<PostTimes> {
  const posts = (await receiver.arrivals()).flatMap(([path, eventId, at]) => {
    const times = accepted.get(/^evt_(msg_[0-9a-z]+)_/.exec(eventId)?.[1] ?? '');
    return times === undefined || without.includes(path) ? [] : [{ at, ...times }];
  });
  return {
    fromRequest: posts.map(({ at, requestedAt }) => at - requestedAt),
    fromAnswer: posts.map(({ at, answeredAt }) => at - answeredAt),
  };
}

export async function measureCommitToPost(stage: WebhookStage): Promise<Figure[]> {
  const tenant = firstTenant(stage);
  const endpoints = await createEndpoints(stage, tenant, { count: 1, types: ['message.accepted', 'webhook.ping'] });
  await untilReady(stage, endpoints);
  const accepted = new Map<string, Accepted>();
  for (let n = 0; n < messages; n++) {
    await sleep(randomGap(gapMs));
    await sendOne(stage, tenant, accepted);
  }
  await stage.receiver.untilTaken(messages);
  const { fromRequest, fromAnswer } = await postTimes(stage, accepted);
  await remove(stage, endpoints);
  const [most, least] = [spreadOf(fromRequest), spreadOf(fromAnswer)];
  stage.setting.tell(`events: from the request to the post: p50 ${most.p50}, p99 ${most.p99} ms`);
  return [...figures('from the request to the post', most, goodMs), ...figures('from the answer to the post', least)];
}

function figures(name: string, { p50, p99 }: Spread, atMost?: number): Figure[] {
  const unit = { unit: 'ms', digits: 0 };
  return [
    { name: `${name}: p50`, value: p50, ...unit },
    { name: `${name}: p99`, value: p99, ...unit, ...(atMost === undefined ? {} : { atMost }) },
  ];
}
