/** Records attempts for people: each failure, each try of a row, each ping, and a sample of the other successes. */
import type { PostAnswer } from '@kurir/address-guard';
import type { Database } from '@kurir/database';
import { noteAttempt, type WebhookLease } from '@kurir/database/webhooks';
import { attemptOf } from './queue/attempt-of.js';
import type { QueuedEvent } from './queue/queued-event.js';

/** While all is well, one success is recorded in this time. */
const sampleEveryMs = 10_000;

export class AttemptLog {
  readonly #database: Database;
  readonly #lease: WebhookLease;
  #sampledAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, lease: WebhookLease) {
    this.#database = database;
    this.#lease = lease;
  }

  async succeeded(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): Promise<void> {
    const isSample = performance.now() - this.#sampledAt >= sampleEveryMs;
    if (!isSample && !queued.isRetry && queued.event.kind !== 'webhook.ping') return;
    this.#sampledAt = performance.now();
    await noteAttempt(this.#database, this.#lease, attemptOf(queued, answer, isProbe), 'delivered');
  }

  probeFailed(queued: QueuedEvent, answer: PostAnswer): Promise<void> {
    return noteAttempt(this.#database, this.#lease, attemptOf(queued, answer, true), 'probed');
  }
}
