/** Writes the cursor of a webhook, seldom: a write serves many events. */
import type { Database, EventPosition } from '@kurir/database';
import { moveWebhookCursor, type WebhookLease } from '@kurir/database/webhooks';

const everyMs = 1_000;
/** A cursor that only passes events of no concern is written this often. */
const idleEveryMs = 300_000;

export class CursorWriter {
  readonly #database: Database;
  readonly #lease: WebhookLease;
  readonly #source: { readonly low: EventPosition };
  readonly #onLost: () => void;
  #written: EventPosition;
  #hasSucceeded = false;
  /** Events got a row, so the cursor passes them. */
  #hasStored = false;
  #writtenAt = performance.now();

  constructor(database: Database, lease: WebhookLease, source: { readonly low: EventPosition }, onLost: () => void) {
    this.#database = database;
    this.#lease = lease;
    this.#source = source;
    this.#onLost = onLost;
    this.#written = source.low;
  }

  /** The webhook took an event. */
  succeeded(): void {
    this.#hasSucceeded = true;
  }

  /** An event that the webhook did not take has a row now. */
  stored(): void {
    this.#hasStored = true;
  }

  async writeIfDue(): Promise<void> {
    const waitedMs = performance.now() - this.#writtenAt;
    const hasMoved = this.#source.low !== this.#written;
    if (this.#hasSucceeded || this.#hasStored ? waitedMs >= everyMs : hasMoved && waitedMs >= idleEveryMs)
      await this.write();
  }

  async write(): Promise<void> {
    const { low } = this.#source;
    const hasSucceeded = this.#hasSucceeded;
    [this.#hasSucceeded, this.#hasStored] = [false, false];
    this.#writtenAt = performance.now();
    try {
      if (!(await moveWebhookCursor(this.#database, this.#lease, low, hasSucceeded))) this.#onLost();
      this.#written = low;
    } catch (err) {
      this.#hasSucceeded ||= hasSucceeded;
      this.#hasStored = true;
      throw err;
    }
  }
}
