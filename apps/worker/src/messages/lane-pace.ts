/** The pace of a lane, as its last claim saw it. Until it opens, only tickets of one-time codes get a turn. */
import type { Clock } from './clock.js';

/** A timer may fire a moment early. A claim before the pace opens finds nothing, and the messages would wait for the sweep. */
const marginMs = 2;

export class LanePace {
  readonly #clock: Clock;
  readonly #onOpen: () => void;
  #opensAt = Number.NEGATIVE_INFINITY;
  #cancelTimer = () => {};

  /** Calls `onOpen` each time the pace opens: messages that are due need tickets then. */
  constructor(clock: Clock, onOpen: () => void) {
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  get isClosed(): boolean {
    return this.#clock.now() < this.#opensAt;
  }

  closeFor(ms: number): void {
    this.#cancelTimer();
    const waitMs = Math.ceil(ms) + marginMs;
    this.#opensAt = this.#clock.now() + waitMs;
    this.#cancelTimer = this.#clock.after(waitMs, () => this.open());
  }

  open(): void {
    this.forget();
    this.#onOpen();
  }

  /** Forgets the last claim, without calling `onOpen`. */
  forget(): void {
    this.#cancelTimer();
    this.#opensAt = Number.NEGATIVE_INFINITY;
  }
}
