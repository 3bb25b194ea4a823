/**
 * Keeps the newest entries in memory, each for at most `ttlMs`. Replaces Baileys' caches, of which each session has
 * five without a bound. It has no `mget` and `mset`, so that Baileys uses `get` and `set`, which work. Baileys calls
 * node-cache's `mset` with the wrong shape, so that it stores nothing.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  readonly #capacity: number;
  readonly #ttlMs: number;

  constructor(capacity: number, ttlMs: number = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity;
    this.#ttlMs = ttlMs;
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    if (found.until <= performance.now()) return undefined;
    this.#entries.set(key, found);
    return found.value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: performance.now() + this.#ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) return;
      this.#entries.delete(oldest);
    }
  }

  del(key: string): void {
    this.#entries.delete(key);
  }

  flushAll(): void {
    this.#entries.clear();
  }
}
