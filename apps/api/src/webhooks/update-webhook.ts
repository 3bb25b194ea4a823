/** Stores the new fields. The reader of the webhook sees them within a second or so. */
import { changeWebhook } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { requireNamedDevices } from '../operations/test-keys.js';
import { requireCallableUrl, requireOwnDevices } from './check-webhook.js';
import { asWebhookId, requireWebhookView, webhookNotFound } from './require-webhook.js';
import { showWebhook } from './show-webhook.js';

export const updateWebhook: Handler<'updateWebhook'> = async ({ caller, auditAs, params, body }, api) => {
  const { accountId } = caller;
  const webhookId = asWebhookId(params.webhook_id);
  if (body.url !== undefined) requireCallableUrl(api, body.url);
  requireNamedDevices(caller, body.deviceIds);
  await requireOwnDevices(api, accountId, body.deviceIds ?? []);
  const changed = await changeWebhook(api.database, { accountId, webhookId }, body, auditAs('webhook.changed'));
  if (!changed) throw webhookNotFound();
  return { webhook: showWebhook(await requireWebhookView(api.database, accountId, webhookId)) };
};
