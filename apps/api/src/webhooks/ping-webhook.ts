import { pingWebhook as ping } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { requireEnabledWebhook, webhookNotFound } from './require-webhook.js';

export const pingWebhook: Handler<'pingWebhook'> = async ({ caller, params }, { database }) => {
  const { id } = await requireEnabledWebhook(database, caller.accountId, params.webhook_id);
  const eventId = await ping(database, id);
  if (eventId === null) throw webhookNotFound();
  return { webhook_id: id, event_id: eventId };
};
