/** Gives a webhook a new secret, which is in this answer only. */
import { rotateWebhookSecret as rotate } from '@kurir/database/webhooks';
import { makeWebhookSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { asWebhookId, requireWebhookView, webhookNotFound } from './require-webhook.js';
import { showWebhook } from './show-webhook.js';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ caller, auditAs, params }, api) => {
  const { database, sealer } = api;
  const { accountId } = caller;
  const webhookId = asWebhookId(params.webhook_id);
  const secret = makeWebhookSecret();
  const rotated = await rotate(database, sealer, { accountId, webhookId, secret }, auditAs('webhook.secret_rotated'));
  if (!rotated) throw webhookNotFound();
  return { webhook: showWebhook(await requireWebhookView(database, accountId, webhookId)), secret };
};
