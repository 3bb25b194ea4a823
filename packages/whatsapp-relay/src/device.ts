/**
 * A device of an account: the phone itself (0), or a linked companion. The relay holds what the real server holds:
 * public keys to hand out, and the stanzas that the device has not acknowledged. Those are sent again at the next
 * login, so a companion that ended before it acknowledged sees them twice.
 */
import type { Account } from './account.js';
import type { Connection } from './connection.js';
import type { Registration } from './protobuf.js';
import type { Stanza } from './stanza.js';

export type PreKey = { readonly id: Uint8Array; readonly value: Uint8Array };

/** A device as plain values. */
export type RememberedDevice = {
  readonly id: number;
  readonly registration: Registration;
  readonly signedPreKey: Registration['signedPreKey'];
  readonly oneTimePreKeys: readonly PreKey[];
  readonly unacknowledged: readonly Stanza[];
};

type ReceiptMarks = { readonly from?: string | undefined; readonly type?: string | undefined };

/** Stanzas of these tags are kept until the device acknowledges them; others are for the moment only. */
const keptTags: readonly string[] = ['message', 'receipt', 'notification'];

export class Device {
  connection: Connection | null = null;
  /** Whether the client said that its person is looking at it. */
  available = false;
  readonly oneTimePreKeys: PreKey[] = [];
  private signedPreKeyNow: Registration['signedPreKey'];
  private unacknowledged: Stanza[] = [];

  constructor(
    readonly account: Account,
    readonly id: number,
    readonly registration: Registration,
  ) {
    this.signedPreKeyNow = registration.signedPreKey;
  }

  static restore(account: Account, remembered: RememberedDevice): Device {
    const device = new Device(account, remembered.id, remembered.registration);
    device.signedPreKeyNow = remembered.signedPreKey;
    device.oneTimePreKeys.push(...remembered.oneTimePreKeys);
    device.unacknowledged = [...remembered.unacknowledged];
    return device;
  }

  remember(): RememberedDevice {
    const { id, registration, signedPreKeyNow: signedPreKey, oneTimePreKeys, unacknowledged } = this;
    return { id, registration, signedPreKey, oneTimePreKeys, unacknowledged };
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
    return this.unacknowledged.length;
  }

  /** Sends now, or at the next login. What the phone gets nobody reads: it has no client here. */
  deliver(stanza: Stanza): void {
    if (this.id === 0) return;
    if (keptTags.includes(stanza.tag)) this.unacknowledged.push(stanza);
    this.connection?.send(stanza);
  }

  /** Sends what is still unacknowledged, marked as old; answers how many. */
  deliverBacklog(): number {
    for (const kept of this.unacknowledged) {
      this.connection?.send({ ...kept, attrs: { ...kept.attrs, offline: '1' } });
    }
    return this.unacknowledged.length;
  }

  /** `of` tells receipts apart that share an id: of several devices, or of the delivery and the reading. */
  acknowledged(tag: string, id: string, of: ReceiptMarks = {}): void {
    this.unacknowledged = this.unacknowledged.filter(({ tag: kept, attrs }) => {
      if (kept !== tag || attrs['id'] !== id) return true;
      return tag === 'receipt' && (attrs['from'] !== of.from || attrs['type'] !== of.type);
    });
  }
}
