import type { AccountId } from '@kurir/contracts';
import { findEvent, isKnown, showFeed } from '@kurir/database';
import { listWebhooks, readWebhookSecrets } from '@kurir/database/webhooks';
import { keptSince } from '../../events/kept-since.js';
import type { Api } from '../../operations/api.js';
import type { Handler } from '../../operations/operation-request.js';
import { requireWebhook } from '../require-webhook.js';
import { advice } from './advice.js';
import { explainDelivery, readHeaders } from './explain-delivery.js';

async function bodyOf(api: Api, accountId: AccountId, eventId: string): Promise<string | null> {
  const { database, accountKeys } = api;
  const event = await findEvent(database, accountId, eventId, keptSince(api));
  if (event === null || !isKnown(event)) return null;
  const [shown] = await showFeed(database, accountKeys, [event]);
  return JSON.stringify(shown);
}

export const debugWebhook: Handler<'debugWebhook'> = async ({ caller, params, body }, api) => {
  const { accountId } = caller;
  const { database, sealer } = api;
  const { id: webhookId } = await requireWebhook(database, accountId, params.webhook_id);
  const headers = readHeaders(body.headers);
  const ids = (await listWebhooks(database, accountId)).map(({ id }) => id);
  const secrets = await readWebhookSecrets(database, sealer, ids);
  const question = {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    body: body.body,
    secret: body.secret?.trim() ?? null,
    secrets: (secrets.get(webhookId) ?? []).map(({ secret }) => secret),
    otherSecrets: [...secrets].flatMap(([id, live]) => (id === webhookId ? [] : live.map(({ secret }) => secret))),
    sentBody: await bodyOf(api, accountId, headers['webhook-id']),
    nowMs: api.now(),
  };
  const { matches, findings } = explainDelivery(question);
  return { matches, findings, advice: findings.map((finding) => advice[finding]) };
};
