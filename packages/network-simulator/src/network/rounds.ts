/** Calls for everything that asked for it, once each, in rounds that begin at least so far apart; a first one at once. */
export class Rounds<T> {
  readonly #apartMs: number;
  readonly #onRound: (item: T) => void;
  #asked = new Set<T>();
  #lastAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(apartMs: number, onRound: (item: T) => void) {
    this.#apartMs = apartMs;
    this.#onRound = onRound;
  }

  call(item: T): void {
    this.#asked.add(item);
    this.#timer ??= setTimeout(() => this.#run(), Math.max(0, this.#lastAt + this.#apartMs - performance.now()));
  }

  /** Drops what waits. */
  stop(): void {
    this.#asked.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #run(): void {
    this.#timer = null;
    this.#lastAt = performance.now();
    const asked = this.#asked;
    this.#asked = new Set();
    for (const item of asked) this.#onRound(item);
  }
}
