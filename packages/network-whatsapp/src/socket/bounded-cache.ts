/**
 * The newest entries, in memory, for at most `ttlMs`. It can stand for Baileys' caches, which otherwise are five
 * unbounded ones a session. It has no `mget` and `mset` on purpose: Baileys then uses `get` and `set`, which work;
 * node-cache's `mset` wants another shape than Baileys gives and stores nothing.
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
