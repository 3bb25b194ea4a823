/**
 * What was learned of recipients (address, devices), in memory and in a row each, with its age: a restart forgets
 * nothing, so it costs no question and no new session. It can stand for Baileys' `userDevicesCache`.
 */
import { BoundedCache } from './bounded-cache.js';
import type { DeviceState } from './device-state.js';
import { encodeRow } from './device-rows.js';

type Aged<Value> = { readonly value: Value; readonly learnedAt: number };

export type StoredCacheOptions = {
  readonly device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>;
  /** The kind of its rows. */
  readonly kind: string;
  /** Entries in memory; rows are not bounded. */
  readonly capacity: number;
  /** What is older has to be learned anew. */
  readonly maxAgeMs: number;
};

export class StoredCache<Value> {
  readonly #options: StoredCacheOptions;
  readonly #memory: BoundedCache<Aged<Value>>;

  constructor(options: StoredCacheOptions) {
    this.#options = options;
    this.#memory = new BoundedCache(options.capacity);
  }

  /** Only what is in memory. */
  peek(key: string): Value | undefined {
    const known = this.#memory.get(key);
    return known !== undefined && this.#isFresh(known) ? known.value : undefined;
  }

  /** Rejects as the store does. */
  async get(key: string): Promise<Value | undefined> {
    if (this.#memory.has(key)) return this.peek(key);
    const stored = this.#parse(await this.#options.device.readOwnRow(this.#options.kind, key));
    if (stored === undefined) return undefined;
    // What was learned while this was being read is newer.
    if (!this.#memory.has(key)) this.#memory.set(key, stored);
    return this.peek(key);
  }

  set(key: string, value: Value): void {
    const aged = { value, learnedAt: Date.now() };
    this.#memory.set(key, aged);
    this.#options.device.writeOwnRow(this.#options.kind, key, encodeRow(aged));
  }

  del(key: string): void {
    this.#memory.del(key);
    this.#options.device.writeOwnRow(this.#options.kind, key, null);
  }

  flushAll(): void {
    this.#memory.flushAll();
  }

  #isFresh({ learnedAt }: Aged<Value>): boolean {
    return Date.now() - learnedAt < this.#options.maxAgeMs;
  }

  /** A row that is no longer understood is learned anew. */
  #parse(row: Uint8Array | undefined): Aged<Value> | undefined {
    try {
      const parsed: unknown = row && JSON.parse(Buffer.from(row).toString('utf8'));
      const isOurs = typeof parsed === 'object' && parsed !== null && 'value' in parsed && 'learnedAt' in parsed;
      // Written by `set` under this kind and by nothing else.
      return isOurs ? (parsed as Aged<Value>) : undefined;
    } catch {
      // The next `set` replaces it.
      return undefined;
    }
  }
}
