/** Example data of webhooks, as the gateway sends it. */
import type { DataOf } from '@kurir/contracts';

const at = '2026-11-21T09:00:00.000Z';

type Webhook = DataOf<'getWebhook'>['webhook'];

export function exampleWebhook(changed: Partial<Webhook> = {}): Webhook {
  return {
    webhook_id: 'whk_1',
    url: 'https://example.com/hook',
    description: '',
    types: [],
    device_ids: [],
    mode: 'parallel',
    max_per_second: null,
    enabled: true,
    disabled_reason: null,
    created_at: at,
    secrets: [{ version: 1, created_at: at, expires_at: null }],
    health: {
      state: 'healthy',
      last_success_at: at,
      last_failure_at: null,
      failing_since: null,
      next_probe_at: null,
      waiting_events: 0,
      failed_events: 0,
    },
    ...changed,
  };
}

type Attempt = DataOf<'listWebhookAttempts'>['attempts'][number];

export function exampleAttempt(changed: Partial<Attempt> = {}): Attempt {
  return {
    attempt_id: '7',
    event_id: 'evt_whk_1_1_1',
    type: 'webhook.ping',
    event: null,
    at,
    tries: 1,
    outcome: 'delivered',
    status: 204,
    error: null,
    duration_ms: 12,
    response: null,
    next_try_at: null,
    ...changed,
  };
}

export const webhookAnswers = () => ({
  createWebhook: () => ({ webhook: exampleWebhook(), secret: 'whsec_example' }),
  listWebhooks: () => ({ webhooks: [exampleWebhook()] }),
  getWebhook: () => ({ webhook: exampleWebhook(), replays: [] }),
  updateWebhook: () => ({ webhook: exampleWebhook() }),
  deleteWebhook: () => ({ webhook_id: 'whk_1' }),
  rotateWebhookSecret: () => ({ webhook: exampleWebhook(), secret: 'whsec_new' }),
  pingWebhook: () => ({ webhook_id: 'whk_1', event_id: 'evt_whk_1_1_1' }),
  replayWebhook: () => ({ events: 3, replay: null }),
  listWebhookAttempts: () => ({ attempts: [exampleAttempt()], next_cursor: null }),
  listFailedEvents: () => ({ events: [], next_cursor: null }),
  resendEvent: () => ({ webhook_id: 'whk_1', event_id: 'evt_1' }),
});
