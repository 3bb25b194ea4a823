/** Writes whether a held device is linked. When a link ends, it also ends the messages that wait for it. */
import {
  type Database,
  failMessagesOfUnlinked,
  type Holder,
  type StateNote,
  writeLinked,
  writeUnlinked,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { LastTry } from '../messages/try-message.js';
import type { KnownIntent } from './known-intent.js';

export type StoredLinkContext = {
  readonly database: Database;
  readonly holder: Holder;
  readonly intent: KnownIntent;
  readonly lastTry: LastTry;
  readonly leaseLost: () => void;
  readonly log: Logger;
};

export class StoredLink {
  readonly #context: StoredLinkContext;

  constructor(context: StoredLinkContext) {
    this.#context = context;
  }

  /** Resolves with false, after `leaseLost`, if the lease is lost. */
  async linked(phoneNumber: string): Promise<boolean> {
    const { database, holder, intent, leaseLost } = this.#context;
    // A worker may have died after it unlinked the earlier account: its messages must not go out through this one.
    await this.#failWaiting();
    if (!(await writeLinked(database, holder, phoneNumber))) {
      leaseLost();
      return false;
    }
    intent.change({ linked: true, pairing: null, contested: false, forgetSessionsAt: null });
    return true;
  }

  async unlinked(state: 'disconnected' | 'banned', note: StateNote): Promise<void> {
    const { database, holder, leaseLost, log } = this.#context;
    if (!(await writeUnlinked(database, holder, state, note))) return leaseLost();
    log.info({ state, reason: note.reason }, 'device unlinked');
    await this.unlinkedAlready();
  }

  /** The same, if the row says already that the device is not linked. */
  async unlinkedAlready(): Promise<void> {
    const { intent, lastTry } = this.#context;
    intent.change({ linked: false, desiredState: 'unlinked', pairing: null, contested: false });
    lastTry.unstored = null;
    await this.#failWaiting();
  }

  async #failWaiting(): Promise<void> {
    const { database, holder } = this.#context;
    while ((await failMessagesOfUnlinked(database, holder.deviceId)) > 0);
  }
}
