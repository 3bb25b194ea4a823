/**
 * Decides when a device may connect: at once, after a backoff, or after the time that the end of its session named. That time
 * is kept on the monotonic clock: if somebody set the wall clock back, the device would wait too long.
 */
import type { DeviceReason } from '@kurir/contracts';
import type { SessionEnd } from '@kurir/network';
import { createReconnectDelay, type ReconnectDelay } from './reconnect-delay.js';

/** With these reasons the network cannot be reached until a person has acted. */
const unreachable: ReadonlySet<DeviceReason> = new Set([
  'credentials_unreadable',
  'proxy_unreadable',
  'proxy_not_allowed',
  'no_driver',
]);

const msUntil = (time: Date | null): number => (time === null ? 0 : time.getTime() - Date.now());

export class ConnectTimes {
  readonly #delay: ReconnectDelay;
  /** On the clock of `performance.now()`. */
  #notBefore: number;
  #lastEnd: SessionEnd | null = null;

  /** `toldToWaitUntil` is the time that the network named to an earlier worker. */
  constructor(toldToWaitUntil: Date | null, delay: ReconnectDelay = createReconnectDelay()) {
    this.#delay = delay;
    this.#notBefore = performance.now() + msUntil(toldToWaitUntil);
  }

  /** Milliseconds until the device may connect; 0 if it may connect now. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - performance.now());
  }

  /** A connection could not log out either, because the network cannot be reached. */
  get cannotLogOut(): boolean {
    return this.#lastEnd !== null && unreachable.has(this.#lastEnd.reason);
  }

  /** The device has a new link, which need not wait as an earlier link had to. */
  linked(): void {
    this.#lastEnd = null;
    this.#notBefore = 0;
  }

  connected(): void {
    this.#lastEnd = null;
    this.#delay.connected();
  }

  /** `timesReplaced` counts how often another connection replaced this one lately. */
  ended(end: SessionEnd, timesReplaced = 0): void {
    this.#lastEnd = end;
    // The worker closed the session itself, to connect with other settings.
    const backoffMs = end.next === 'none' ? 0 : this.#delay.next(timesReplaced);
    this.#notBefore = performance.now() + Math.max(backoffMs, msUntil(end.until ?? null));
  }

  /** A person asked a contested device to connect again. It need not wait for its backoff. */
  reconnectAsked(): void {
    if (this.#lastEnd?.reason === 'replaced') this.#notBefore = 0;
  }

  /** Lets the device connect now if it waits because the network refused an older client. Returns false if it does not. */
  clientChanged(): boolean {
    if (this.#lastEnd?.reason !== 'client_outdated') return false;
    this.#notBefore = 0;
    return true;
  }

  /** Lets the device connect now through its new proxy, unless the network named a time. */
  proxyChanged(): void {
    if (this.#lastEnd === null) return;
    const { next, reason } = this.#lastEnd;
    if (next !== 'wait' || unreachable.has(reason)) this.#notBefore = 0;
  }
}
