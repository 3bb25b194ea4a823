/**
 * The lease of this worker on one device, from taking it until its release or loss. Every write for the device carries the
 * token: Postgres refuses the writes of a worker that lost the lease.
 */
import type { ClaimedMessage, Database, LeaseToken } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { SendOutcome } from '@kurir/network';

/** The last try that the driver got under this lease. */
export type LastTry = {
  /** Its `tryName`; empty before the first try. */
  name: string;
  /** The driver's answer, until Postgres has it. The lane stores it before its next claim. */
  unstored: UnstoredOutcome | null;
};

export type UnstoredOutcome = { readonly message: ClaimedMessage; readonly outcome: SendOutcome; refusals: number };

export type DeviceLeaseOptions = {
  readonly token: LeaseToken;
  readonly database: Database;
  readonly log: Logger;
  /** Closes all sockets of the device. */
  readonly onLost: () => void;
};

export class DeviceLease {
  readonly token: LeaseToken;
  readonly database: Database;
  readonly log: Logger;
  /** Belongs to the lease: the next connection under this lease goes on with it. */
  readonly lastTry: LastTry = { name: '', unstored: null };
  readonly #onLost: () => void;
  #isEnding = false;

  constructor({ token, database, log, onLost }: DeviceLeaseOptions) {
    this.token = token;
    this.database = database;
    this.log = log;
    this.#onLost = onLost;
  }

  get deviceId(): LeaseToken['deviceId'] {
    return this.token.deviceId;
  }

  /** The worker hands the device over, or has lost the lease. Nothing new begins. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  end(): void {
    this.#isEnding = true;
  }

  /** Postgres refused a write under this lease. */
  lost(): void {
    this.#onLost();
  }
}
