/**
 * A device of an account: the phone itself (0), or a linked companion. The relay holds what the real server holds:
 * public keys to hand out, and the stanzas that the device has not acknowledged. Those are sent again at the next
 * login, so a companion that ended before it acknowledged sees them twice.
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

export type PasskeyDemand = {
  /** What the companion gets: the question, or the answer to a question that it never answered. */
  readonly as: 'passkey_prologue_request' | 'crsc_continuation';
  /** How often it comes. */
  readonly times: number;
  /** A typed code is announced without the phone's key, and the demand follows it (tulir/whatsmeow #1188, #1233). */
  readonly handoff: boolean;
};

export type IssuedToken = {
  readonly to: string;
  readonly value: Uint8Array;
  /** Since 1970, as the one who issued it wrote. */
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

/** Stanzas of these tags are kept until the device acknowledges them; others are for the moment only. */
const keptTags: readonly string[] = ['message', 'receipt', 'notification'];

export class Device {
  connection: Connection | null = null;
  /** Whether the client said that its person is looking at it. */
  available = false;
  readonly oneTimePreKeys: PreKey[] = [];
  private signedPreKeyNow: Registration['signedPreKey'];
  /** Old stanzas that the present connection was sent. */
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

  /** Number and device, as the journal writes it: `4915100000001:1`. */
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

  /** Sends now, or at the next login. What the phone gets nobody reads: it has no client here. */
  deliver(stanza: Stanza): void {
    if (this.id === 0) return;
    if (keptTags.includes(stanza.tag)) this.queue.add(stanza);
    this.connection?.send(stanza);
  }

  /**
   * Says what waits, sends it, marked as old, and says that this was all: at once, or when a message that holds up the
   * rest is acknowledged (whatsmeow `connectionevents.go`).
   */
  deliverBacklog(): void {
    const { queue } = this;
    if (queue.length > 0) this.connection?.send(bulletin('offline_preview', previewOf(queue)));
    this.delivered = 0;
    if (queue.open(this.sendOld)) this.endBacklog();
  }

  /** The device has it. */
  acknowledged(tag: string, id: string, of: ReceiptMarks = {}): void {
    if (this.queue.settle(tag, id, of, this.sendOld)) this.endBacklog();
  }

  /** The device answered a message with an error. */
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
