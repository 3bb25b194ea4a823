import { readTroubledWebhooks } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

const shownWebhooks = 200;

export const adminListWebhooks: Handler<'adminListWebhooks'> = async (_request, { database }) => {
  const webhooks = await readTroubledWebhooks(database, shownWebhooks);
  return {
    webhooks: webhooks.map((webhook) => ({
      webhook_id: webhook.id,
      account_id: webhook.accountId,
      account_name: webhook.accountName,
      origin: webhook.origin,
      enabled: webhook.enabled,
      disabled_reason: webhook.disabledReason,
      failing_since: webhook.failingSince?.toISOString() ?? null,
      last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
      waiting: webhook.waiting,
    })),
  };
};
