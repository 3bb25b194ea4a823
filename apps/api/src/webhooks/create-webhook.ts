/** Creates a webhook. Its secret is in this answer only, so a repeated request is refused and stores no answer. */
import { ApiError, limits } from '@kurir/contracts';
import { createWebhook as create } from '@kurir/database/webhooks';
import { makeWebhookSecret } from '@kurir/signing';
import type { Handler } from '../operations/operation-request.js';
import { requireNamedDevices } from '../operations/test-keys.js';
import { requireCallableUrl, requireOwnDevices } from './check-webhook.js';
import { requireWebhookView } from './require-webhook.js';
import { showWebhook } from './show-webhook.js';

export const createWebhook: Handler<'createWebhook'> = async ({ caller, auditAs, body }, api) => {
  const { accountId } = caller;
  requireCallableUrl(api, body.url);
  requireNamedDevices(caller, body.deviceIds);
  await requireOwnDevices(api, accountId, body.deviceIds);
  const secret = makeWebhookSecret();
  const id = await create(api.database, api.sealer, { accountId, secret, ...body }, auditAs('webhook.created'));
  if (id === 'too-many')
    throw new ApiError(
      'WEBHOOK_LIMIT_REACHED',
      `An account has at most ${limits.webhooksMax} webhooks. Delete one that you do not need.`,
    );
  return { webhook: showWebhook(await requireWebhookView(api.database, accountId, id)), secret };
};
