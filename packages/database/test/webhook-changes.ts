/** The changes of webhooks that are in the audit log. */
import { type Audit } from '../src/accounts/audit.js';
import { changeWebhook, deleteWebhook, rotateWebhookSecret } from '../src/webhooks/change-webhook.js';
import { createWebhook } from '../src/webhooks/create-webhook.js';
import { readWebhook } from '../src/webhooks/list-webhooks.js';
import { beginReplay } from '../src/webhooks/replay-webhook.js';
import { newWebhook, type World } from './audited-world-fixture.js';
import { type DatabaseFixture, sealer } from './database-fixture.js';

export const webhookChanges = (fixture: () => DatabaseFixture, world: () => World) => ({
  'webhook.created': {
    run: (audit: Audit) =>
      createWebhook(fixture().database, sealer, { ...newWebhook, accountId: world().tenant.accountId }, audit),
  },
  'webhook.changed': {
    run: (audit: Audit) => changeWebhook(fixture().database, world().webhook, { description: 'other' }, audit),
    subject: () => world().webhook.webhookId,
  },
  'webhook.secret_rotated': {
    run: (audit: Audit) => rotateWebhookSecret(fixture().database, sealer, { ...world().webhook, secret: 's2' }, audit),
    subject: () => world().webhook.webhookId,
  },
  'webhook.replayed': {
    run: async (audit: Audit) => {
      const { accountId, webhookId } = world().webhook;
      const webhook = await readWebhook(fixture().database, accountId, webhookId);
      if (webhook === null) throw new Error('no webhook');
      const span = { since: new Date(0), until: new Date(), types: [], events: 1 };
      return beginReplay(fixture().database, webhook, span, audit);
    },
    subject: () => world().webhook.webhookId,
  },
  'webhook.deleted': {
    run: (audit: Audit) => deleteWebhook(fixture().database, world().webhook, audit),
    subject: () => world().webhook.webhookId,
  },
});
