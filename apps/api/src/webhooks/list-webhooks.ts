import { listWebhooks as read } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { showWebhook } from './show-webhook.js';

export const listWebhooks: Handler<'listWebhooks'> = async ({ caller }, { database }) => ({
  webhooks: (await read(database, caller.accountId)).map(showWebhook),
});
