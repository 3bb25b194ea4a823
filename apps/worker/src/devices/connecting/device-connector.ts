/** Connects a held device when it is due: through the gate, one connection at a time, and not before its time. */
import { type Database, type Holder, writeDeviceState } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { ConnectGate } from './connect-gate.js';
import type { ConnectTimes } from './connect-times.js';

export type DeviceConnectorContext = {
  readonly database: Database;
  readonly holder: Holder;
  readonly gate: ConnectGate;
  readonly times: ConnectTimes;
  readonly isOver: () => boolean;
  /** What has to be done before a session begins; rejects to put the connection off. */
  readonly prepare: () => Promise<void>;
  /** Opens the connection; calls `leaveGate` once it stands or is over. */
  readonly open: (leaveGate: () => void) => void;
  /** The time has come: whether it is still wanted is to be asked again. */
  readonly due: () => void;
  readonly log: Logger;
};

/** For a longer wait, the rounds of `reconcile` suffice. */
const longestAlarmMs = 60_000;

export class DeviceConnector {
  readonly #context: DeviceConnectorContext;
  #connecting = false;
  #alarm: NodeJS.Timeout | undefined;

  constructor(context: DeviceConnectorContext) {
    this.#context = context;
  }

  /** May be called at any time and any number of times while there is no connection. */
  connectWhenDue(): void {
    if (this.#connecting) return;
    const { times, due, log } = this.#context;
    const { waitMs } = times;
    this.stop();
    if (waitMs > 0) {
      if (waitMs < longestAlarmMs) this.#alarm = setTimeout(due, waitMs);
      return;
    }
    this.#connecting = true;
    this.#connect()
      .catch((err: unknown) => log.warn({ err }, 'connecting failed'))
      .finally(() => {
        this.#connecting = false;
      });
  }

  stop(): void {
    clearTimeout(this.#alarm);
  }

  async #connect(): Promise<void> {
    const { gate, isOver, prepare, open } = this.#context;
    const leaveGate = await gate.enter();
    try {
      if (await this.#mayConnect()) {
        await prepare();
        if (!isOver()) return open(leaveGate);
      }
    } catch (error) {
      leaveGate();
      throw error;
    }
    leaveGate();
  }

  async #mayConnect(): Promise<boolean> {
    const { database, holder, isOver } = this.#context;
    return !isOver() && (await writeDeviceState(database, holder, 'connecting', null)) && !isOver();
  }
}
