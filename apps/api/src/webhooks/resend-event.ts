import { ApiError, limits } from '@kurir/contracts';
import { findEvent } from '@kurir/database';
import { resendEvent as resend } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { requireEnabledWebhook } from './require-webhook.js';

const dayMs = 24 * 60 * 60 * 1_000;

export const resendEvent: Handler<'resendEvent'> = async ({ caller, params, body }, { database, now }) => {
  const { accountId } = caller;
  const webhook = await requireEnabledWebhook(database, accountId, body.webhookId);
  const since = new Date(now() - limits.feedDays * dayMs);
  const event = await findEvent(database, accountId, params.event_id, since);
  if (event === null)
    throw new ApiError(
      'EVENT_NOT_FOUND',
      `The account has no event with this id, or it is older than ${limits.feedDays} days.`,
    );
  await resend(database, webhook.id, event);
  return { webhook_id: webhook.id, event_id: params.event_id };
};
