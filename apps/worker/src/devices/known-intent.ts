import type { DeviceIntent } from '@kurir/database';

/**
 * The customer's intent for a device, as this worker knows it: the last reading from Postgres and the worker's own changes
 * since. Times are milliseconds of `performance.now()`.
 */
export class KnownIntent {
  #intent: DeviceIntent;
  /** The start of the last reading, or the commit of the worker's last change. */
  #knownAt = 0;
  /** The newest request to forget sessions that the worker has begun, whether it succeeded or not. */
  #lastForgettingAt = new Date(0);

  constructor(intent: DeviceIntent) {
    this.#intent = intent;
  }

  get now(): DeviceIntent {
    return this.#intent;
  }

  /**
   * Takes a reading that began at `readAt`, and returns the intent before it. Ignores an older reading and returns null: it
   * would undo a change, for example link a linked device again.
   */
  take(intent: DeviceIntent, readAt: number): DeviceIntent | null {
    if (readAt < this.#knownAt) return null;
    const before = this.#intent;
    this.#knownAt = readAt;
    this.#intent = intent;
    return before;
  }

  /** Notes a change that this worker has just committed. */
  change(change: Partial<DeviceIntent>): void {
    this.#intent = { ...this.#intent, ...change };
    this.#knownAt = performance.now();
  }

  /** Whether an operator asked the device to forget its sessions with others, and the worker has not begun it. */
  get isToForget(): boolean {
    const { forgetSessionsAt } = this.#intent;
    return forgetSessionsAt !== null && forgetSessionsAt > this.#lastForgettingAt;
  }

  /** Returns the time of the request to forget sessions, or null. A failed request waits for the next session. */
  beginForgetting(): Date | null {
    const { forgetSessionsAt } = this.#intent;
    if (forgetSessionsAt !== null) this.#lastForgettingAt = forgetSessionsAt;
    return forgetSessionsAt;
  }
}
