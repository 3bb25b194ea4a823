/**
 * A device of an account: the phone itself (0), or a linked companion. The relay holds what the real server holds:
 * public keys to hand out, and the stanzas that the device has not acknowledged. Those are sent again at the next
 * login, so a companion that ended before it acknowledged sees them twice.
 */
import type { Account } from './account.js';
import type { Connection } from './connection.js';
import { OfflineQueue, type ReceiptMarks, type RememberedQueue } from './offline-queue.js';
import type { Registration } from './protobuf.js';
import { serverJid, type Stanza, stanza } from './stanza.js';

export type PreKey = { readonly id: Uint8Array; readonly value: Uint8Array };

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
