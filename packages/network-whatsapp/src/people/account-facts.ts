/**
 * What the network told about this account and what holds for as long as the link: whether its chats are addressed by
 * LID, the salt of its first-contact tokens, how long tokens hold. One row each, read once a session.
 */
import type { DeviceState } from '../store/device-state.js';
import { encodeRow, decodeRow } from '../store/device-rows.js';

export const ACCOUNT_KIND = 'account';

/** The rows of kind `account`, by id. */
export type AccountFact = {
  /** From `pair-success` (`ClientPairingProps`), or from which address the network took. */
  readonly addressing: { readonly lidMigrated: boolean };
  /** The version up to which each collection of the app state was read. */
  readonly 'app-state': { readonly [collection: string]: number };
  /** Base64; empty where the account gave it up. For tokens of first messages. */
  readonly 'first-contact-salt': { readonly salt: string };
  /** As the server's properties say. */
  readonly 'token-life': { readonly bucketSeconds: number; readonly buckets: number };
};

type FactName = keyof AccountFact;

export class AccountFacts {
  readonly #device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>;
  readonly #known = new Map<FactName, Promise<unknown>>();

  constructor(device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>) {
    this.#device = device;
  }

  /** Null when the network never told. Rejects as the store does, or with `DamagedRow`. */
  async get<Name extends FactName>(name: Name): Promise<AccountFact[Name] | null> {
    const known = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, known);
    // Only `set` and this driver's linking write these rows.
    return (await known) as AccountFact[Name] | null;
  }

  /** Writes only what has changed. */
  async set<Name extends FactName>(name: Name, fact: AccountFact[Name]): Promise<void> {
    const before = await this.get(name);
    if (JSON.stringify(before) === JSON.stringify(fact)) return;
    this.#known.set(name, Promise.resolve(fact));
    this.#device.writeOwnRow(ACCOUNT_KIND, name, encodeRow(fact));
  }

  async #read(name: FactName): Promise<unknown> {
    const row = await this.#device.readOwnRow(ACCOUNT_KIND, name);
    return row === undefined ? null : decodeRow(ACCOUNT_KIND, row);
  }
}
