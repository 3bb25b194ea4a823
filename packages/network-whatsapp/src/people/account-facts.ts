/**
 * Facts about this account that hold as long as the link. They say whether its chats are addressed by LID, which salt
 * its first-contact tokens have, and how long tokens are valid. Each fact is one row, and is read once a session.
 */
import { decodeRow, encodeRow } from '../store/device-rows.js';
import type { DeviceState } from '../store/device-state.js';

export const ACCOUNT_KIND = 'account';

/** The rows of kind `account`, by id. */
export type AccountFact = {
  /** From `pair-success` (`ClientPairingProps`), or from the address that the network accepted. */
  readonly addressing: { readonly lidMigrated: boolean };
  /** The version up to which each collection of the app state was read. */
  readonly 'app-state': { readonly [collection: string]: number };
  /** Base64. Empty when the account gave up its salt. Tokens of first messages are made from it. */
  readonly 'first-contact-salt': { readonly salt: string };
  /** From the server's properties. */
  readonly 'token-life': { readonly bucketSeconds: number; readonly buckets: number };
};

type FactName = keyof AccountFact;

export class AccountFacts {
  readonly #device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>;
  readonly #known = new Map<FactName, Promise<unknown>>();

  constructor(device: Pick<DeviceState, 'readOwnRow' | 'writeOwnRow'>) {
    this.#device = device;
  }

  /** Null when the network never said it. Rejects as the store does, or with `DamagedRow`. */
  async get<Name extends FactName>(name: Name): Promise<AccountFact[Name] | null> {
    const known = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, known);
    // Only `set` and `linking/` write these rows.
    return (await known) as AccountFact[Name] | null;
  }

  /** Writes the row only if the fact has changed. */
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
