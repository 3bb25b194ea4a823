/** Writes whether a device is linked. When a link ends, it also ends the messages and the read marks that wait for it. */
import { dropReadMarks, failMessagesOfUnlinked, type StateNote, writeLinked, writeUnlinked } from '@kurir/database';
import type { DeviceLease } from '../leases/device-lease.js';
import type { KnownIntent } from './known-intent.js';

export class StoredLink {
  readonly #lease: DeviceLease;
  readonly #intent: KnownIntent;

  constructor(lease: DeviceLease, intent: KnownIntent) {
    this.#lease = lease;
    this.#intent = intent;
  }

  /** Returns false if the lease is lost. */
  async linked(phoneNumber: string): Promise<boolean> {
    const { database, token } = this.#lease;
    // A worker may have died after it unlinked the earlier account: its messages must not go out through this one.
    await this.#endWaiting();
    if (!(await writeLinked(database, token, phoneNumber))) {
      this.#lease.lost();
      return false;
    }
    this.#intent.change({ linked: true, pairing: null, contested: false, forgetSessionsAt: null });
    return true;
  }

  async unlinked(state: 'disconnected' | 'banned', note: StateNote): Promise<void> {
    const { database, token, log } = this.#lease;
    if (!(await writeUnlinked(database, token, state, note))) return this.#lease.lost();
    log.info({ state, reason: note.reason }, 'device unlinked');
    await this.unlinkedAlready();
  }

  /** As `unlinked`, if the device's row already says that it is not linked. */
  async unlinkedAlready(): Promise<void> {
    this.#intent.change({ linked: false, desiredState: 'unlinked', pairing: null, contested: false });
    this.#lease.lastTry.unstored = null;
    await this.#endWaiting();
  }

  async #endWaiting(): Promise<void> {
    const { database, deviceId } = this.#lease;
    while ((await failMessagesOfUnlinked(database, deviceId)) > 0);
    while ((await dropReadMarks(database, deviceId)) > 0);
  }
}
