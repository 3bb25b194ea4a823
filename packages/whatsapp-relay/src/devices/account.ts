/**
 * An account and its devices. They refer to each other, so both stand in this file. Device 0 is the phone itself; the
 * others are linked companions.
 */
import type { SignalKeyPair } from 'zapo-js/crypto';
import type { Connection } from '../wire/connection.js';
import { type JidServer, writeJid } from '../wire/jid.js';
import type { PreKey, Registration } from '../wire/protobuf.js';
import { serverJid, type Stanza, stanza } from '../wire/stanza.js';
import type { AppState } from './app-state.js';
import { OfflineQueue, type ReceiptMarks, type RememberedQueue } from './offline-queue.js';

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
  /** Whether the account's chats use LIDs: the server shows it the LIDs of other people, and it must write to LIDs. */
  lidMigrated: boolean;
  /** Whether the server shows others only the LID of this account, without its phone number. */
  hidesNumber: boolean;
  /** Whether a query for its devices by phone number gets an empty list. */
  hidesDevicesByNumber: boolean;
  /** Other spellings of the number. Numbers of Brazil, Mexico and Argentina have two. */
  readonly alsoWritten: Set<string>;
  /** Ids of devices whose keys nobody can fetch. */
  readonly brokenKeys: Set<number>;
  /** The name that others see with its messages. */
  pushName: string;
  /** The username that others see, if the account has one. */
  username: string | null;
  nextDeviceId: number;
  /** Numbers that wrote to this account, or that it wrote to. They are no strangers. */
  readonly contacts: Set<string>;
  /** Numbers that this account wrote to. They need no token to write back. */
  readonly wroteTo: Set<string>;
  /** Whether strangers need a token to write to this account. */
  requiresToken: boolean;
  readonly issuedTokens: IssuedToken[];
  readonly appState: AppState;
  /** The key of the account's tokens for first messages (`cstoken`). Only its own devices know it. */
  readonly nctSalt: Uint8Array;
  /** Devices that subscribed to this account's presence. */
  readonly watchers: Set<Device>;
  reachoutTimelock: ReachoutTimelock | null;
  newChatCap: NewChatCap | null;
  /** If set, the phone links a companion only with the account's passkey. */
  passkey: PasskeyDemand | null;
};

export type PasskeyDemand = {
  /** The stanza that the companion gets: the request, or the step that follows a request which it never answered. */
  readonly as: 'passkey_prologue_request' | 'crsc_continuation';
  /** How many copies of that stanza the server sends. */
  readonly times: number;
  /** The phone announces a typed code without its key, and the demand follows (tulir/whatsmeow #1188, #1233). */
  readonly handoff: boolean;
};

export type IssuedToken = {
  readonly to: string;
  readonly value: Uint8Array;
  /** Seconds since 1970, as the issuer stated them. */
  readonly issuedSeconds: number;
};

/** The address of the account, or of one of its devices, by phone number or by LID. */
export function accountJid(account: Account, server: JidServer, device = 0): string {
  return writeJid(server === 'lid' ? account.lid : account.number, server, device);
}

/** A device as plain values. */
export type RememberedDevice = {
  readonly id: number;
  readonly registration: Registration;
  readonly signedPreKey: Registration['signedPreKey'];
  readonly oneTimePreKeys: readonly PreKey[];
} & RememberedQueue;

/** The relay keeps stanzas of these tags until the device acknowledges them. It keeps no others. */
const keptTags: readonly string[] = ['message', 'receipt', 'notification'];

/**
 * A device as the real server holds it: public keys for others, and the stanzas that it has not acknowledged. The relay
 * sends those again at the next login. A companion that closed before it acknowledged gets them twice.
 */
export class Device {
  connection: Connection | null = null;
  /** Whether the client reported that a person is looking at it. */
  available = false;
  readonly oneTimePreKeys: PreKey[] = [];
  private signedPreKeyNow: Registration['signedPreKey'];
  /** How many stanzas of the queue the relay has sent on this connection. */
  private delivered = 0;

  private readonly sendOld = (kept: Stanza): void => {
    this.delivered += 1;
    this.connection?.send({ ...kept, attrs: { ...kept.attrs, offline: '1' } });
  };

  constructor(
    readonly account: Account,
    readonly id: number,
    readonly registration: Registration,
    private readonly queue: OfflineQueue = new OfflineQueue(),
  ) {
    this.signedPreKeyNow = registration.signedPreKey;
  }

  static restore(account: Account, remembered: RememberedDevice): Device {
    const device = new Device(account, remembered.id, remembered.registration, new OfflineQueue(remembered));
    device.signedPreKeyNow = remembered.signedPreKey;
    device.oneTimePreKeys.push(...remembered.oneTimePreKeys);
    return device;
  }

  remember(): RememberedDevice {
    const { id, registration, signedPreKeyNow: signedPreKey, oneTimePreKeys } = this;
    return { id, registration, signedPreKey, oneTimePreKeys, ...this.queue.remember() };
  }

  /** The name of the device in the journal, number and id: `4915100000001:1`. */
  get name(): string {
    return `${this.account.number}:${this.id}`;
  }

  get signedPreKey(): Registration['signedPreKey'] {
    return this.signedPreKeyNow;
  }

  rotateSignedPreKey(signedPreKey: Registration['signedPreKey']): void {
    this.signedPreKeyNow = signedPreKey;
  }

  /** How many stanzas wait for this device's acknowledgement. */
  get backlog(): number {
    return this.queue.length;
  }

  /**
   * Sends the stanza now, and keeps it for the next login if its tag is in `keptTags`. A phone gets nothing: it has no
   * client here.
   */
  deliver(stanza: Stanza): void {
    if (this.id === 0) return;
    if (keptTags.includes(stanza.tag)) this.queue.add(stanza);
    this.connection?.send(stanza);
  }

  /**
   * Sends a preview, then the waiting stanzas with the mark `offline`, then the end of the backlog. A rejected message
   * delays the rest and the end until the device acknowledges it (whatsmeow `connectionevents.go`).
   */
  deliverBacklog(): void {
    const { queue } = this;
    if (queue.length > 0) this.connection?.send(bulletin('offline_preview', previewOf(queue)));
    this.delivered = 0;
    if (queue.open(this.sendOld)) this.endBacklog();
  }

  acknowledged(tag: string, id: string, of: ReceiptMarks = {}): void {
    if (this.queue.settle(tag, id, of, this.sendOld)) this.endBacklog();
  }

  /** The device acknowledged a message with an error. */
  rejected(id: string): void {
    this.queue.reject(id);
  }

  private endBacklog(): void {
    this.connection?.send(bulletin('offline', { count: String(this.delivered) }));
  }
}

function previewOf(queue: OfflineQueue): Record<string, string> {
  const counted = (tag: string): string => String(queue.countOf(tag));
  return {
    count: String(queue.length),
    appdata: '0',
    message: counted('message'),
    notification: counted('notification'),
    receipt: counted('receipt'),
  };
}

function bulletin(tag: string, attrs: Record<string, string>): Stanza {
  return stanza('ib', { from: serverJid }, [stanza(tag, attrs)]);
}
