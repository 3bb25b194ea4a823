/**
 * The events that the network has for one device, receipts and inbound messages, until the device settles them.
 *
 * At most `MAX_IN_FLIGHT` events are in flight; the others wait. A new connection gets every unsettled event again. The
 * outbox holds `MAX_EVENTS` events. If a device stays away for longer, the oldest tenth is dropped.
 */
import type { NetworkFrameOf } from '../../protocol/frames.js';
import { Fifo } from './fifo.js';

const MAX_EVENTS = 100_000;
const MAX_IN_FLIGHT = 1_000;

export type OutboxEvent = {
  readonly frame: NetworkFrameOf<'receipt'> | NetworkFrameOf<'inbound'>;
  /** How often the event is sent over one connection: once, or twice when a fault doubles it. */
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

  /** The next event to send. Undefined when none is left, or when too many are in flight. */
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

  /** Removes the event. Returns whether it was still unsettled. */
  settle(n: number): boolean {
    this.#inFlight.delete(n);
    return this.#unsettled.delete(n);
  }

  /** For a new connection: all unsettled events are sent again, oldest first. */
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
