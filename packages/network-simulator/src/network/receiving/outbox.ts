/**
 * What the network still has to tell one device: receipts and inbound messages, until the device settles them.
 *
 * At most 1,000 events are on the way at a time; the rest wait. A new connection gets everything unsettled again.
 * Holds the newest 100,000 events; when a device stays away for longer, the oldest tenth is given up.
 */
import type { NetworkFrameOf } from '../../protocol/frames.js';
import { Fifo } from './fifo.js';

const MAX_EVENTS = 100_000;
const MAX_IN_FLIGHT = 1_000;

export type OutboxEvent = {
  readonly frame: NetworkFrameOf<'receipt'> | NetworkFrameOf<'inbound'>;
  /** How often it goes over one connection: 1, or 2 when a fault doubles it. */
  readonly times: number;
};

export class Outbox {
  readonly #unsettled = new Map<number, OutboxEvent>();
  readonly #waiting = new Fifo<number>();
  readonly #inFlight = new Set<number>();

  add(event: OutboxEvent): void {
    if (this.#unsettled.has(event.frame.n)) return;
    this.#unsettled.set(event.frame.n, event);
    this.#waiting.push(event.frame.n);
    if (this.#unsettled.size > MAX_EVENTS) this.#dropOldest(MAX_EVENTS / 10);
  }

  /** The next event that may go out now, or undefined: none is left, or too many are unanswered. */
  next(): OutboxEvent | undefined {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const n = this.#waiting.shift();
      if (n === undefined) return undefined;
      const event = this.#unsettled.get(n);
      if (!event) continue;
      this.#inFlight.add(n);
      return event;
    }
    return undefined;
  }

  /** Forgets the event; returns whether it was still unsettled. */
  settle(n: number): boolean {
    this.#inFlight.delete(n);
    return this.#unsettled.delete(n);
  }

  /** For a new connection: everything unsettled is to be sent, oldest first. */
  rewind(): void {
    this.#inFlight.clear();
    this.#waiting.clear();
    for (const n of this.#unsettled.keys()) this.#waiting.push(n);
  }

  #dropOldest(count: number): void {
    for (const n of this.#unsettled.keys()) {
      if (count === 0) return;
      this.#unsettled.delete(n);
      this.#inFlight.delete(n);
      count -= 1;
    }
  }
}
