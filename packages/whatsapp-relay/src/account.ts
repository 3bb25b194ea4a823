/** The accounts of the relay: one per phone number, with its LID and its devices. */
import { randomBytes } from 'node:crypto';
import { X25519, type SignalKeyPair } from 'zapo-js/crypto';
import { type AppState, newAppState } from './app-state.js';
import { Device } from './device.js';
import { type JidServer, parseJid, writeJid } from './jid.js';
import type { PasskeyDemand } from './passkey.js';
import { createPhoneKeys } from './phone-keys.js';
import type { RememberedAccount } from './remembered.js';
import type { IssuedToken } from './rules/token-rule.js';

/** A restriction on writing to strangers, as `xwa2_fetch_account_reachout_timelock` reports it. */
export type ReachoutTimelock = { readonly endsAt: Date; readonly enforcementType: string };

/** The month's allowance of new chats, as `xwa2_message_capping_info` reports it. */
export type NewChatCap = {
  readonly totalQuota: number;
  readonly usedQuota: number;
  readonly status: 'NONE' | 'FIRST_WARNING' | 'SECOND_WARNING' | 'CAPPED';
  readonly cycleEndsAt: Date;
};

export type Account = {
  /** Digits with country code. */
  readonly number: string;
  readonly lid: string;
  /** The phone's identity: companions are signed with it. */
  readonly identity: SignalKeyPair;
  readonly devices: Map<number, Device>;
  /** Whether the phone tells senders that their messages arrived. */
  reportsDeliveries: boolean;
  /** Whether the account's chats are LID-addressed: it is told of others by LID, and must write to LIDs. */
  lidMigrated: boolean;
  /** Whether others are told of this account by its LID alone. */
  hidesNumber: boolean;
  /** Whether questions for devices by phone number are answered with none. */
  hidesDevicesByNumber: boolean;
  /** Other ways in which people write the number: Brazil, Mexico and Argentina have two. */
  readonly alsoWritten: Set<string>;
  /** Devices whose keys cannot be fetched. */
  readonly brokenKeys: Set<number>;
  /** The name that others see beside its messages. */
  pushName: string;
  nextDeviceId: number;
  /** Numbers that wrote to this account or were written to: no strangers. */
  readonly contacts: Set<string>;
  /** Numbers that this account wrote to: they need no token to write back. */
  readonly wroteTo: Set<string>;
  /** Whether strangers need a token to write to this account. */
  requiresToken: boolean;
  readonly issuedTokens: IssuedToken[];
  readonly appState: AppState;
  /** What the account's first messages to others are vouched for with; its own devices alone know it. */
  readonly nctSalt: Uint8Array;
  /** Devices that asked for this account's presence. */
  readonly watchers: Set<Device>;
  reachoutTimelock: ReachoutTimelock | null;
  newChatCap: NewChatCap | null;
  /** Not null: the phone links a companion only with the account's passkey. */
  passkey: PasskeyDemand | null;
};

const firstLid = 200_000_000_000_001;
const nctSaltBytes = 32;

export class Accounts {
  private readonly byNumber = new Map<string, Account>();
  private readonly byLid = new Map<string, Account>();
  private readonly opening = new Map<string, Promise<Account>>();

  /** The account of the number, made if it is new. Who asks while it is made gets the same one. */
  open(number: string): Promise<Account> {
    const known = this.opening.get(number);
    if (known) return known;
    if (!/^\d{5,20}$/.test(number)) return Promise.reject(new Error(`not a phone number: ${number}`));
    const account = this.make(number, String(firstLid + this.opening.size));
    this.opening.set(number, account);
    return account;
  }

  /** For accounts that another relay had; before any other is opened. */
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

  /** As people write the number; the server has one form of it. */
  byWrittenNumber(number: string): Account | undefined {
    return this.byNumber.get(number) ?? this.all().find(({ alsoWritten }) => alsoWritten.has(number));
  }

  /** By phone number or LID; the device in the address does not matter. */
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

/** The address of the account, or of one of its devices, by phone number or by LID. */
export function accountJid(account: Account, server: JidServer, device = 0): string {
  return writeJid(server === 'lid' ? account.lid : account.number, server, device);
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
