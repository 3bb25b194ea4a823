import { readReplays } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { requireWebhookView } from './require-webhook.js';
import { showReplay, showWebhook } from './show-webhook.js';

const shownReplays = 10;

export const getWebhook: Handler<'getWebhook'> = async ({ caller, params }, { database }) => {
  const webhook = await requireWebhookView(database, caller.accountId, params.webhook_id);
  const replays = await readReplays(database, webhook.id, shownReplays);
  return { webhook: showWebhook(webhook), replays: replays.map(showReplay) };
};
