/**
 * When a held device may connect: at once, after a backoff, or not before the time that the end of its session named. Kept by
 * the monotonic clock from the moment it is heard: a clock that is set back would keep the device away for as long.
 */
import type { DeviceReason } from '@kurir/contracts';
import type { SessionEnd } from '@kurir/network';
import { createReconnectDelay, type ReconnectDelay } from './reconnect-delay.js';

/** Waits for a person, not for the network: until then nothing can be told to the network at all. */
const cutOff: ReadonlySet<DeviceReason> = new Set([
  'credentials_unreadable',
  'proxy_unreadable',
  'proxy_not_allowed',
  'no_driver',
]);

const msUntil = (time: Date | null): number => (time === null ? 0 : time.getTime() - Date.now());

export class ConnectTimes {
  readonly #delay: ReconnectDelay;
  /** By `performance.now()`. */
  #notBefore: number;
  #lastEnd: SessionEnd | null = null;

  /** `toldToWaitUntil`: what an earlier holder was told. */
  constructor(toldToWaitUntil: Date | null, delay: ReconnectDelay = createReconnectDelay()) {
    this.#delay = delay;
    this.#notBefore = performance.now() + msUntil(toldToWaitUntil);
  }

  /** Milliseconds until it may connect; 0: now. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - performance.now());
  }

  /** Connecting would not lead to a logout either. */
  get cannotLogOut(): boolean {
    return this.#lastEnd !== null && cutOff.has(this.#lastEnd.reason);
  }

  /** Linked anew: what an earlier link had to wait for is over. */
  linked(): void {
    this.#lastEnd = null;
    this.#notBefore = 0;
  }

  connected(): void {
    this.#lastEnd = null;
    this.#delay.connected();
  }

  /** `timesReplaced`: how often another connection took its place lately. */
  ended(end: SessionEnd, timesReplaced = 0): void {
    this.#lastEnd = end;
    // Closed by us, to connect in another way.
    const backoffMs = end.next === 'none' ? 0 : this.#delay.next(timesReplaced);
    this.#notBefore = performance.now() + Math.max(backoffMs, msUntil(end.until ?? null));
  }

  /** A person wants a contested device to connect again: it need not wait for its own backoff. */
  reconnectAsked(): void {
    if (this.#lastEnd?.reason === 'replaced') this.#notBefore = 0;
  }

  /** As a newer client it may go at once, if it waits because the network refused an older one. False: nothing changed. */
  clientChanged(): boolean {
    if (this.#lastEnd?.reason !== 'client_outdated') return false;
    this.#notBefore = 0;
    return true;
  }

  /** Through another proxy it may go at once, unless the network named a time. */
  proxyChanged(): void {
    if (this.#lastEnd === null) return;
    const { next, reason } = this.#lastEnd;
    if (next !== 'wait' || cutOff.has(reason)) this.#notBefore = 0;
  }
}
