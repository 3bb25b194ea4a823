/** Connects a device when it is due: through the gate, and one connection at a time. */
import { writeDeviceState } from '@kurir/database';
import type { DeviceLease } from '../../leases/device-lease.js';
import type { ConnectGate } from './connect-gate.js';
import type { ConnectTimes } from './connect-times.js';

export type DeviceConnectorOptions = {
  readonly lease: DeviceLease;
  readonly gate: ConnectGate;
  readonly times: ConnectTimes;
  /** Runs before a session begins. If it rejects, the connection is put off. */
  readonly prepare: () => Promise<void>;
  /** Opens the connection, which calls `leaveGate` once it is connected or has ended. */
  readonly open: (leaveGate: () => void) => void;
  /** The time to connect has come. Check again whether the device needs a connection. */
  readonly due: () => void;
};

/** A longer wait needs no timer: `reconcile` runs often enough. */
const longestTimerMs = 60_000;

export class DeviceConnector {
  readonly #options: DeviceConnectorOptions;
  #isConnecting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeviceConnectorOptions) {
    this.#options = options;
  }

  /** May be called at any time and any number of times while there is no connection. */
  connectWhenDue(): void {
    if (this.#isConnecting) return;
    const { times, due, lease } = this.#options;
    const { waitMs } = times;
    this.stop();
    if (waitMs > 0) {
      if (waitMs < longestTimerMs) this.#timer = setTimeout(due, waitMs);
      return;
    }
    this.#isConnecting = true;
    this.#connect()
      .catch((err: unknown) => lease.log.warn({ err }, 'connecting failed'))
      .finally(() => {
        this.#isConnecting = false;
      });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #connect(): Promise<void> {
    const { gate, lease, prepare, open } = this.#options;
    const leaveGate = await gate.enter();
    try {
      if (await this.#mayConnect()) {
        await prepare();
        if (!lease.isEnding) return open(leaveGate);
      }
    } catch (error) {
      leaveGate();
      throw error;
    }
    leaveGate();
  }

  async #mayConnect(): Promise<boolean> {
    const { lease } = this.#options;
    if (lease.isEnding) return false;
    return (await writeDeviceState(lease.database, lease.token, 'connecting', null)) && !lease.isEnding;
  }
}
