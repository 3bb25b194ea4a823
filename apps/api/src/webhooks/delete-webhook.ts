import { deleteWebhook as remove } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { asWebhookId, webhookNotFound } from './require-webhook.js';

export const deleteWebhook: Handler<'deleteWebhook'> = async ({ caller, auditAs, params }, { database }) => {
  const webhookId = asWebhookId(params.webhook_id);
  const { accountId } = caller;
  if (!(await remove(database, { accountId, webhookId }, auditAs('webhook.deleted')))) throw webhookNotFound();
  return { webhook_id: webhookId };
};
