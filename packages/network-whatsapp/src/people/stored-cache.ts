/**
 * A cache of answers about people (addresses, devices), in memory and in one row each, with their age. A restart
 * forgets nothing, so it causes no query and no new Signal session.
 */
import { BoundedCache } from '../socket/bounded-cache.js';
import { encodeRow } from '../store/device-rows.js';
import type { DeviceState } from '../store/device-state.js';

/** A value as its row holds it. */
export type Aged<Value> = { readonly value: Value; readonly learnedAt: number };

export type StoredCacheOptions = {
  readonly device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>;
  /** The kind of its rows. */
  readonly kind: string;
  /** How many entries are kept in memory. The number of rows has no limit. */
  readonly capacity: number;
  /** `get` returns no older value. */
  readonly maxAgeMs: number;
};

export class StoredCache<Value> {
  readonly #options: StoredCacheOptions;
  readonly #memory: BoundedCache<Aged<Value> | 'absent'>;

  constructor(options: StoredCacheOptions) {
    this.#options = options;
    this.#memory = new BoundedCache(options.capacity);
  }

  /** The value, if it is not older than `maxAgeMs`. Rejects as the store does. */
  async get(key: string): Promise<Value | undefined> {
    const known = await this.#recall(key);
    return known !== undefined && this.#isFresh(known) ? known.value : undefined;
  }

  /** The value, of any age. Rejects as the store does. */
  async recall(key: string): Promise<Value | undefined> {
    return (await this.#recall(key))?.value;
  }

  /** Stores a value that was learned now. */
  set(key: string, value: Value): void {
    const aged = { value, learnedAt: Date.now() };
    this.#memory.set(key, aged);
    this.#options.device.writeOwnRow(this.#options.kind, key, encodeRow(aged));
  }

  /**
   * Changes the value but not its age, in memory only. The caller stores the returned row together with other rows. A
   * restart before that forgets the change.
   */
  async revise(key: string, value: Value): Promise<Aged<Value>> {
    const learnedAt = (await this.#recall(key))?.learnedAt ?? 0;
    const aged = { value, learnedAt };
    this.#memory.set(key, aged);
    return aged;
  }

  /** Makes the value too old for `get`; `recall` still returns it. */
  async expire(key: string): Promise<void> {
    const known = await this.#recall(key);
    if (known === undefined) return;
    const aged = { ...known, learnedAt: 0 };
    this.#memory.set(key, aged);
    this.#options.device.writeOwnRow(this.#options.kind, key, encodeRow(aged));
  }

  del(key: string): void {
    this.#memory.del(key);
    this.#options.device.writeOwnRow(this.#options.kind, key, null);
  }

  async #recall(key: string): Promise<Aged<Value> | undefined> {
    const known = this.#memory.get(key);
    if (known !== undefined) return known === 'absent' ? undefined : known;
    const stored = this.#parse(await this.#options.device.readOwnRow(this.#options.kind, key));
    // `set` may have written a newer value during this read.
    const newer = this.#memory.get(key);
    if (newer !== undefined) return newer === 'absent' ? undefined : newer;
    this.#memory.set(key, stored ?? 'absent');
    return stored;
  }

  #isFresh({ learnedAt }: Aged<Value>): boolean {
    return Date.now() - learnedAt < this.#options.maxAgeMs;
  }

  /** A row that cannot be read counts as absent, so the value is learned again. */
  #parse(row: Uint8Array | undefined): Aged<Value> | undefined {
    try {
      const parsed: unknown = row && JSON.parse(Buffer.from(row).toString('utf8'));
      const isOurs = typeof parsed === 'object' && parsed !== null && 'value' in parsed && 'learnedAt' in parsed;
      // Only `set` writes rows of this kind.
      return isOurs ? (parsed as Aged<Value>) : undefined;
    } catch {
      // The next `set` replaces the row.
      return undefined;
    }
  }
}
