/**
 * A device's login and keys during one session: Baileys' auth state on the credential store.
 *
 * Each commit of Baileys is one `write`, and writes keep their order. Rows are cached as bytes, because this session is
 * their only writer. The first read or write that fails is reported and ends the session. From then on the rows may
 * differ from what Baileys has in memory.
 */
import type { CredentialChange, CredentialStore } from '@kurir/network';
import type { AuthenticationCreds, AuthenticationState, SignalDataSet, SignalDataTypeMap } from 'baileys';
import { BoundedCache } from '../socket/bounded-cache.js';
import { decodeKey, decodeLogin, encodeRow, type KeyKind, LOGIN_ID, LOGIN_KIND, loginRow } from './device-rows.js';

const CACHED_ROWS = 300;

/**
 * Baileys keeps a list of all contacts in one row and rewrites it for each new contact. It uses the list only to prune
 * old tokens, so the row is not stored.
 */
const CONTACT_INDEX = '__index';

export class DeviceState {
  readonly auth: AuthenticationState;
  readonly #store: CredentialStore;
  readonly #onTrouble: (error: unknown) => void;
  readonly #rows = new BoundedCache<Uint8Array | 'absent'>(CACHED_ROWS);
  #written: Promise<void> = Promise.resolve();
  #closed = false;
  #broken = false;

  private constructor(store: CredentialStore, creds: AuthenticationCreds, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#onTrouble = onTrouble;
    this.auth = { creds, keys: { get: (kind, ids) => this.#get(kind, ids), set: (data) => this.#set(data) } };
  }

  /** Null when the device was never linked. Rejects as the store does, or with `DamagedRow`. */
  static async read(store: CredentialStore, onTrouble: (error: unknown) => void): Promise<DeviceState | null> {
    const row = (await store.read(LOGIN_KIND, [LOGIN_ID])).get(LOGIN_ID);
    return row === undefined ? null : new DeviceState(store, decodeLogin(row), onTrouble);
  }

  /** Stores `creds` after Baileys has changed them. Never rejects. */
  saveLogin(): Promise<void> {
    return this.#write(() => [loginRow(this.auth.creds)]).catch(() => undefined);
  }

  /**
   * Reads a row that is the driver's own, not one of Baileys'. Rejects as the store does, which also ends the session.
   */
  async readOwnRow(kind: string, id: string): Promise<Uint8Array | undefined> {
    try {
      return (await this.#store.read(kind, [id])).get(id);
    } catch (error) {
      this.#onTrouble(error);
      throw error;
    }
  }

  /** Never rejects: a store that rejects ends the session. */
  writeOwnRow(kind: string, id: string, value: Uint8Array | null): void {
    this.#write(() => [{ kind, id, value }]).catch(() => undefined);
  }

  /** Waits for the running writes and refuses later ones, so that the next session is the only writer. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#written;
  }

  async #get<Kind extends KeyKind>(kind: Kind, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[Kind] }> {
    const found: { [id: string]: SignalDataTypeMap[Kind] } = {};
    try {
      const rows = await this.#read(kind, ids);
      for (const [id, row] of rows) found[id] = decodeKey(kind, row);
    } catch (error) {
      this.#onTrouble(error);
      throw error;
    }
    return found;
  }

  async #read(kind: KeyKind, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const unknown: string[] = [];
    for (const id of ids) {
      const row = isIndex(kind, id) ? 'absent' : this.#rows.get(`${kind}/${id}`);
      if (row === undefined) unknown.push(id);
      else if (row !== 'absent') found.set(id, row);
    }
    if (unknown.length === 0) return found;
    const read = await this.#store.read(kind, unknown);
    for (const id of unknown) {
      const row = read.get(id);
      if (row !== undefined) found.set(id, row);
      // A value that was written during this read is newer.
      if (!this.#rows.has(`${kind}/${id}`)) this.#remember(kind, id, row ?? 'absent');
    }
    return found;
  }

  async #set(data: SignalDataSet): Promise<void> {
    const changes: CredentialChange[] = [];
    for (const [kind, values] of Object.entries(data)) {
      for (const [id, value] of Object.entries(values ?? {})) {
        if (isIndex(kind, id)) continue;
        const row = value === null || value === undefined ? null : encodeRow(value);
        changes.push({ kind, id, value: row });
        this.#remember(kind, id, row ?? 'absent');
      }
    }
    if (changes.length > 0) await this.#write(() => changes);
  }

  /** Pre-keys are not cached: there are many, and each is used once. */
  #remember(kind: string, id: string, row: Uint8Array | 'absent'): void {
    if (kind !== 'pre-key') this.#rows.set(`${kind}/${id}`, row);
  }

  #write(changes: () => readonly CredentialChange[]): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the session is over'));
    const writing = this.#written.then(() => {
      if (this.#broken) throw new Error('an earlier write failed');
      return this.#store.write(changes());
    });
    this.#written = writing.catch((error: unknown) => {
      if (!this.#broken) this.#onTrouble(error);
      this.#broken = true;
    });
    return writing;
  }
}

function isIndex(kind: string, id: string): boolean {
  return kind === 'tctoken' && id === CONTACT_INDEX;
}
