/** The accounts of the relay: one for each phone number, with its LID and its devices. */
import { randomBytes } from 'node:crypto';
import { X25519, type SignalKeyPair } from 'zapo-js/crypto';
import { newAppState } from './app-state.js';
import { type Account, Device, type RememberedDevice } from './account.js';
import { parseJid } from '../wire/jid.js';
import { createPhoneKeys } from './phone-keys.js';

export type RememberedAccount = Omit<Account, 'devices' | 'watchers'> & {
  readonly devices: readonly RememberedDevice[];
};

const firstLid = 200_000_000_000_001;
const nctSaltBytes = 32;

export class Accounts {
  private readonly byNumber = new Map<string, Account>();
  private readonly byLid = new Map<string, Account>();
  private readonly opening = new Map<string, Promise<Account>>();

  /** The account of the number, which `open` makes if it is new. Concurrent calls get the same account. */
  open(number: string): Promise<Account> {
    const known = this.opening.get(number);
    if (known) return known;
    if (!/^\d{5,20}$/.test(number)) return Promise.reject(new Error(`not a phone number: ${number}`));
    const account = this.make(number, String(firstLid + this.opening.size));
    this.opening.set(number, account);
    return account;
  }

  /** Adds the accounts that another relay remembered. Call it before any `open`. */
  restore(accounts: readonly RememberedAccount[]): void {
    for (const { devices, ...remembered } of accounts) {
      const { number, lid, identity } = remembered;
      // A relay of an earlier version may have remembered less.
      const account: Account = { ...newAccount(number, lid, identity), ...remembered };
      for (const device of devices) account.devices.set(device.id, Device.restore(account, device));
      this.opening.set(account.number, Promise.resolve(this.enter(account)));
    }
  }

  remember(): readonly RememberedAccount[] {
    return this.all().map(({ watchers: _moment, devices, ...account }) => ({
      ...account,
      devices: [...devices.values()].map((device) => device.remember()),
    }));
  }

  all(): readonly Account[] {
    return [...this.byNumber.values()];
  }

  byPhoneNumber(number: string): Account | undefined {
    return this.byNumber.get(number);
  }

  /** Finds the account by any spelling of its number. The server itself uses one spelling. */
  byWrittenNumber(number: string): Account | undefined {
    return this.byNumber.get(number) ?? this.all().find(({ alsoWritten }) => alsoWritten.has(number));
  }

  /** Finds the account by phone number or LID. The device in the address does not matter. */
  find(jid: string | undefined): Account | undefined {
    const parsed = parseJid(jid);
    if (!parsed) return undefined;
    return parsed.server === 'lid' ? this.byLid.get(parsed.user) : this.byNumber.get(parsed.user);
  }

  findDevice(jid: string | undefined): Device | undefined {
    return this.find(jid)?.devices.get(parseJid(jid)?.device ?? 0);
  }

  private async make(number: string, lid: string): Promise<Account> {
    const account = newAccount(number, lid, await X25519.generateKeyPair());
    account.devices.set(0, await createPhoneKeys(account));
    return this.enter(account);
  }

  private enter(account: Account): Account {
    this.byNumber.set(account.number, account);
    this.byLid.set(account.lid, account);
    return account;
  }
}

function newAccount(number: string, lid: string, identity: SignalKeyPair): Account {
  return {
    number,
    lid,
    identity,
    devices: new Map(),
    reportsDeliveries: false,
    lidMigrated: true,
    hidesNumber: false,
    hidesDevicesByNumber: false,
    alsoWritten: new Set(),
    brokenKeys: new Set(),
    pushName: `Person ${number.slice(-4)}`,
    username: null,
    nextDeviceId: 1,
    contacts: new Set(),
    wroteTo: new Set(),
    requiresToken: false,
    issuedTokens: [],
    appState: newAppState(),
    nctSalt: randomBytes(nctSaltBytes),
    watchers: new Set(),
    reachoutTimelock: null,
    newChatCap: null,
    passkey: null,
  };
}
