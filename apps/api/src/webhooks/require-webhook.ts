import { type AccountId, ApiError, type WebhookId } from '@kurir/contracts';
import { type Database } from '@kurir/database';
import { findWebhook, type FoundWebhook, readWebhook, type WebhookView } from '@kurir/database/webhooks';

export const webhookNotFound = (): ApiError =>
  new ApiError('WEBHOOK_NOT_FOUND', 'The account has no webhook with this id. GET /api/v1/webhooks lists them.');

/** A text that is not the id of a webhook finds none. */
export const asWebhookId = (text: string): WebhookId => text as WebhookId;

/** Returns the account's webhook, or throws 404. The webhook of another account gets the same 404. */
export async function requireWebhook(
  database: Database,
  accountId: AccountId,
  webhookId: string,
): Promise<FoundWebhook> {
  const webhook = await findWebhook(database, accountId, webhookId);
  if (webhook === null) throw webhookNotFound();
  return webhook;
}

/** The webhook with its health, or 404. */
export async function requireWebhookView(
  database: Database,
  accountId: AccountId,
  webhookId: string,
): Promise<WebhookView> {
  const webhook = await readWebhook(database, accountId, webhookId);
  if (webhook === null) throw webhookNotFound();
  return webhook;
}

/** The webhook, or a refusal if nothing is sent to it. */
export async function requireEnabledWebhook(
  database: Database,
  accountId: AccountId,
  webhookId: string,
): Promise<FoundWebhook> {
  const webhook = await requireWebhook(database, accountId, webhookId);
  if (!webhook.enabled)
    throw new ApiError('WEBHOOK_DISABLED', 'The webhook is disabled, so nothing is sent to it. Enable it first.');
  return webhook;
}
