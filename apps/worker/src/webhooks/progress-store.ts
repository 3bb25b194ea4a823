/** Stores the progress of a webhook's reader: each step again and again, until it succeeds or the reader has ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookId } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';

const pauseMs = 500;

export type ProgressOptions = {
  readonly webhookId: WebhookId;
  readonly log: Logger;
  readonly hasEnded: () => boolean;
  /** Called when another worker has the lease. */
  readonly onLost: () => void;
};

export class ProgressStore {
  readonly #options: ProgressOptions;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /**
   * Returns the result of `store`, or undefined if the reader has ended before. Never rejects. A step that failed may
   * have been stored, so it must be harmless to repeat.
   */
  async untilStored<Result>(store: () => Promise<Result>): Promise<Result | undefined> {
    while (!this.#options.hasEnded()) {
      try {
        return await store();
      } catch (err) {
        this.warn(err);
      }
      await sleep(pauseMs);
    }
    return undefined;
  }

  /** Returns for how many milliseconds the webhook has failed, or undefined if the reader has ended. */
  async untilFailureStored(store: () => Promise<number | null>): Promise<number | undefined> {
    const failingMs = await this.untilStored(store);
    if (failingMs === null) this.#options.onLost();
    return failingMs ?? undefined;
  }

  warn(err: unknown): void {
    const { log, webhookId } = this.#options;
    log.warn({ err, webhookId }, 'progress of a webhook not stored, will be tried again');
  }
}
