import { listWebhooks as read } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';
import { showWebhook } from './show-webhook.js';

export const listWebhooks: Handler<'listWebhooks'> = async ({ caller }, { database }) => {
  const [webhooks, visible] = await Promise.all([read(database, caller.accountId), visibleDevices(database, caller)]);
  const isVisible = ({ deviceIds }: (typeof webhooks)[number]) =>
    visible === null || (deviceIds.length > 0 && deviceIds.every((id) => visible.includes(id)));
  return { webhooks: webhooks.filter(isVisible).map(showWebhook) };
};
