import { ApiError } from '@kurir/contracts';
import { findEvent } from '@kurir/database';
import { resendEvent as resend } from '@kurir/database/webhooks';
import { keptSince } from '../events/kept-since.js';
import type { Handler } from '../operations/operation-request.js';
import { isVisible, outsideSandbox, visibleDevices } from '../operations/test-keys.js';
import { requireEnabledWebhook } from './require-webhook.js';

export const resendEvent: Handler<'resendEvent'> = async ({ caller, params, body }, api) => {
  const { accountId } = caller;
  const { database, eventDays } = api;
  const webhook = await requireEnabledWebhook(database, accountId, body.webhookId);
  const event = await findEvent(database, accountId, params.event_id, keptSince(api));
  if (event === null)
    throw new ApiError(
      'EVENT_NOT_FOUND',
      `The account has no event with this id, or it is older than ${eventDays} days.`,
    );
  if (!isVisible(await visibleDevices(database, caller), event.deviceId))
    throw outsideSandbox(`${params.event_id} is outside the sandbox.`);
  await resend(database, webhook.id, event);
  return { webhook_id: webhook.id, event_id: params.event_id };
};
