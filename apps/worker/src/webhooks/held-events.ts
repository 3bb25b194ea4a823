/** Stores rows for events that must wait for an earlier one of their subject. */
import type { Database } from '@kurir/database';
import { holdEvents, type WebhookLease } from '@kurir/database/webhooks';
import type { CursorWriter } from './cursor-writer.js';
import type { ProgressStore } from './progress-store.js';
import type { QueuedEvent } from './queue/queued-event.js';
import type { Retries } from './queue/retries.js';

export type HeldEventsParts = {
  readonly database: Database;
  readonly lease: WebhookLease;
  readonly retries: Retries;
  readonly cursor: CursorWriter;
  readonly progress: ProgressStore;
  readonly hasEnded: () => boolean;
  /** Called when another worker has the lease. */
  readonly onLost: () => void;
};

export class HeldEvents {
  readonly #parts: HeldEventsParts;
  /** Resolves when all rows so far are stored. They are stored in order. */
  #stored: Promise<unknown> = Promise.resolve();

  constructor(parts: HeldEventsParts) {
    this.#parts = parts;
  }

  /** The subjects wait from now on. The rows are stored after `first`: the row of the earlier event. */
  hold(held: readonly QueuedEvent[], first: readonly Promise<void>[]): void {
    if (held.length === 0) return;
    const { retries, progress } = this.#parts;
    for (const { event } of held) retries.wait(event);
    const before = [this.#stored, ...first];
    this.#stored = progress.untilStored(() => this.#store(held, before));
  }

  async #store(held: readonly QueuedEvent[], before: readonly Promise<unknown>[]): Promise<void> {
    const { database, lease, cursor, hasEnded, onLost } = this.#parts;
    await Promise.all(before);
    // The earlier event may have no row.
    if (hasEnded()) return;
    const events = held.map(({ event }) => event);
    if (!(await holdEvents(database, lease, events))) return onLost();
    for (const queued of held) queued.settle();
    cursor.stored();
  }
}
