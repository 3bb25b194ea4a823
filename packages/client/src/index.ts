export type {
  Answer,
  BulkResult,
  CallOptions,
  ChatPresenceInput,
  CreateDeviceInput,
  CreateWebhookInput,
  Device,
  Job,
  KurirEvent,
  LinkDeviceInput,
  ListAttemptsInput,
  ListedJob,
  ListDevicesInput,
  ListEventsInput,
  ListFailedEventsInput,
  ListMessagesInput,
  RenewAccountInput,
  ReplayWebhookInput,
  SendBulkInput,
  SendMessageInput,
  UpdateDeviceInput,
  UpdateWebhookInput,
  Webhook,
  WebhookAttempt,
} from './contract/call-types.js';
export { createClient, type KurirClient } from './calls/client.js';
export type { Clock } from './calls/clock.js';
export type { ClientOptions } from './calls/connection.js';
export {
  KurirConnectionError,
  KurirError,
  type KurirErrorCode,
  KurirUsageError,
  KurirWaitError,
} from './calls/errors.js';
export type { EventFeed, EventsInput } from './calls/follow-events.js';
export type { WaitOptions, WaitUntil } from './calls/wait-for-job.js';
export {
  KurirWebhookError,
  verifyWebhook,
  type WebhookRefusal,
  type WebhookRequestHeaders,
} from './webhooks/verify-webhook.js';
