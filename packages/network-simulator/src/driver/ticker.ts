/** One interval timer for all sessions of a driver. It runs only while it has listeners. */
export class Ticker {
  readonly #intervalMs: number;
  readonly #listeners = new Set<(now: number) => void>();
  #timer: NodeJS.Timeout | null = null;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** `now` is `performance.now()`, a clock that nobody can set. */
  add(listener: (now: number) => void): void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#tick(), this.#intervalMs);
  }

  delete(listener: (now: number) => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const now = performance.now();
    for (const listener of this.#listeners) listener(now);
  }
}
