/** The exports for webhooks: their rows, and the reading and sending of events for them. */
export { createWebhook, type NewWebhook } from './webhooks/create-webhook.js';
export {
  readWebhookEvents,
  type WebhookLogEvent,
  type WebhookPage,
  type WebhookPageRequest,
} from './webhooks/read-webhook-events.js';
export {
  readWebhookChanges,
  type ReadWebhook,
  readWebhooks,
  type WebhookChange,
  type WaitingRetry,
  type WebhookReplay,
} from './webhooks/read-webhooks.js';
export {
  readWebhookShare,
  releaseWebhooks,
  renewWebhooks,
  takeWebhooks,
  type WebhookLease,
  webhookLeaseTtlMs,
} from './webhooks/webhook-leases.js';
export {
  disableWebhook,
  moveReplay,
  moveWebhookCursor,
  noteProbe,
  noteRecovery,
  tellFailing,
} from './webhooks/webhook-progress.js';
export {
  type DueRetry,
  endRetry,
  forgetAttempts,
  holdEvents,
  noteAttempt,
  noteFailure,
  readDueRetries,
  type RetryRequest,
  type WebhookAttempt,
} from './webhooks/webhook-retries.js';
export { readWebhookSecrets, type WebhookSecret } from './webhooks/webhook-secrets.js';
export { changeWebhook, deleteWebhook, rotateWebhookSecret } from './webhooks/change-webhook.js';
export { readAttempts, readFailedEvents } from './webhooks/list-attempts.js';
export {
  findWebhook,
  type FoundWebhook,
  listWebhooks,
  readUnknownDevices,
  readWebhook,
  type WebhookView,
} from './webhooks/list-webhooks.js';
export { beginReplay, countReplay, readReplays, type Replay } from './webhooks/replay-webhook.js';
export { pingWebhook, resendEvent } from './webhooks/resend-event.js';
