/** Passes each item to `onDue` after the same delay, in order, with one timer for all. */
import { Fifo } from './fifo.js';

export class TimedQueue<T> {
  readonly #delayMs: number;
  readonly #onDue: (item: T) => void;
  readonly #queue = new Fifo<{ readonly dueAt: number; readonly item: T }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(delayMs: number, onDue: (item: T) => void) {
    this.#delayMs = delayMs;
    this.#onDue = onDue;
  }

  push(item: T): void {
    this.#queue.push({ dueAt: performance.now() + this.#delayMs, item });
    this.#arm();
  }

  /** Passes on all items that are due, in case the timer is late. */
  run(): void {
    const now = performance.now();
    for (let next = this.#queue.peek(); next && next.dueAt <= now; next = this.#queue.peek()) {
      this.#queue.shift();
      this.#onDue(next.item);
    }
  }

  /** Drops all items that wait. */
  stop(): void {
    this.#queue.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(): void {
    const next = this.#queue.peek();
    if (this.#timer || !next) return;
    this.#timer = setTimeout(() => this.#onTimer(), Math.max(1, next.dueAt - performance.now()));
  }

  #onTimer(): void {
    this.#timer = null;
    this.run();
    this.#arm();
  }
}
