/** The accounts of the relay: one per phone number, with its LID and its devices. */
import { X25519, type SignalKeyPair } from 'zapo-js/crypto';
import { Device } from './device.js';
import { type JidServer, parseJid, writeJid } from './jid.js';
import type { PasskeyDemand } from './passkey.js';
import { createPhoneKeys } from './phone-keys.js';
import type { RememberedAccount } from './remembered.js';

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
  /** How this account appears to others: `pn` by phone number, `lid` without it. */
  addressing: 'pn' | 'lid';
  nextDeviceId: number;
  /** Numbers that wrote to this account or were written to: no strangers. */
  readonly contacts: Set<string>;
  /** Devices that asked for this account's presence. */
  readonly watchers: Set<Device>;
  reachoutTimelock: ReachoutTimelock | null;
  newChatCap: NewChatCap | null;
  /** Whether the account writes to people by LID: the phone says so in `<client-props>`. */
  lidMigrated: boolean;
  /** Not null: the phone links a companion only with the account's passkey. */
  passkey: PasskeyDemand | null;
};

const firstLid = 200_000_000_000_001;

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
      const account: Account = { ...remembered, devices: new Map(), watchers: new Set() };
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

/** The address of the whole account as others see it. */
export function accountJid(account: Account, server: JidServer | null = null): string {
  const form = server ?? (account.addressing === 'lid' ? 'lid' : 's.whatsapp.net');
  return writeJid(form === 'lid' ? account.lid : account.number, form);
}

function newAccount(number: string, lid: string, identity: SignalKeyPair): Account {
  return {
    number,
    lid,
    identity,
    devices: new Map(),
    reportsDeliveries: false,
    addressing: 'pn',
    nextDeviceId: 1,
    contacts: new Set(),
    watchers: new Set(),
    reachoutTimelock: null,
    newChatCap: null,
    lidMigrated: true,
    passkey: null,
  };
}
