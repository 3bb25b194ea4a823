import type { DeviceIntent } from '@kurir/database';

/**
 * What the customer wants of a device, as this worker knows it: read from Postgres, and changed by what the worker wrote
 * since. Times are milliseconds of `performance.now()`.
 */
export class KnownIntent {
  #intent: DeviceIntent;
  /** The start of the reading, or the commit of our own last change. */
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
   * Takes a reading that began at `readAt`, and returns the intent before it. Returns null if the reading is older than
   * what is known: it would undo a change, such as link again what is linked.
   */
  take(intent: DeviceIntent, readAt: number): DeviceIntent | null {
    if (readAt < this.#knownAt) return null;
    const before = this.#intent;
    this.#knownAt = readAt;
    this.#intent = intent;
    return before;
  }

  /** Notes what this worker has just committed. */
  change(change: Partial<DeviceIntent>): void {
    this.#intent = { ...this.#intent, ...change };
    this.#knownAt = performance.now();
  }

  /** Whether sessions with others are to be forgotten and no session has begun it yet. */
  get isToForget(): boolean {
    const { forgetSessionsAt } = this.#intent;
    return forgetSessionsAt !== null && forgetSessionsAt > this.#lastForgettingAt;
  }

  /** Returns when forgetting was asked for, or null. A request that fails waits for the next session. */
  beginForgetting(): Date | null {
    const { forgetSessionsAt } = this.#intent;
    if (forgetSessionsAt !== null) this.#lastForgettingAt = forgetSessionsAt;
    return forgetSessionsAt;
  }
}
