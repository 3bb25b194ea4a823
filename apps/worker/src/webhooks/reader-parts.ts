import type { Database } from '@kurir/database';
import type { ReadWebhook, WebhookLease } from '@kurir/database/webhooks';
import type { Logger } from '@kurir/logging';
import type { WebhookSender } from './webhook-sender.js';

export type ReaderParts = {
  readonly database: Database;
  readonly lease: WebhookLease;
  readonly webhook: ReadWebhook;
  readonly sender: WebhookSender;
  readonly log: Logger;
  /** Called when the reader wants the next page, or when its webhook was disabled. */
  readonly onHungry: () => void;
  /** Called when an event of a row may go that had to wait for another one. */
  readonly onRetryFree: () => void;
  /** Older events are passed over. */
  readonly keptMs: number;
  /** The wait before the first probe. By default that of the schedule. */
  readonly firstProbeMs?: number | undefined;
};
