import type { CredentialChange, ErasableCredentials } from '../../src/driver.js';

/** A credential store in memory. After `refuse()` it rejects everything, like a store whose lease was lost. */
export class MemoryCredentials implements ErasableCredentials {
  readonly #rows = new Map<string, Uint8Array>();
  #refusing = false;

  get rowCount(): number {
    return this.#rows.size;
  }

  /** A copy of the present rows, like a backup. */
  backup(): MemoryCredentials {
    const copy = new MemoryCredentials();
    for (const [name, value] of this.#rows) copy.#rows.set(name, value);
    return copy;
  }

  refuse(): void {
    this.#refusing = true;
  }

  read(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    if (this.#refusing) return Promise.reject(new Error('the lease was lost'));
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const value = this.#rows.get(`${kind}/${id}`);
      if (value) found.set(id, value);
    }
    return Promise.resolve(found);
  }

  write(changes: readonly CredentialChange[]): Promise<void> {
    if (this.#refusing) return Promise.reject(new Error('the lease was lost'));
    for (const { kind, id, value } of changes) {
      if (value) this.#rows.set(`${kind}/${id}`, value);
      else this.#rows.delete(`${kind}/${id}`);
    }
    return Promise.resolve();
  }

  eraseKinds(kinds: readonly string[]): Promise<void> {
    if (this.#refusing) return Promise.reject(new Error('the lease was lost'));
    for (const name of this.#rows.keys())
      if (kinds.some((kind) => name.startsWith(`${kind}/`))) this.#rows.delete(name);
    return Promise.resolve();
  }
}
