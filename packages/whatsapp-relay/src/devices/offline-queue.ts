/**
 * What a device has not acknowledged yet. At the next login it comes again, oldest first, and a message that the device
 * answered with an error comes before all: the server takes the error for a failed delivery, and withholds the rest of
 * the queue until that message is acknowledged plainly (Baileys #2779). What arrives meanwhile goes out at once.
 */
import type { Stanza } from '../wire/stanza.js';

export type ReceiptMarks = { readonly from?: string | undefined; readonly type?: string | undefined };

export type RememberedQueue = { readonly unacknowledged: readonly Stanza[]; readonly rejected?: readonly string[] };

type Send = (kept: Stanza) => void;

export class OfflineQueue {
  private kept: Stanza[];
  /** Ids of messages that were answered with an error. */
  private readonly rejected: Set<string>;
  /** What the present connection has not been sent yet. */
  private withheld: readonly Stanza[] = [];

  constructor({ unacknowledged, rejected = [] }: RememberedQueue = { unacknowledged: [] }) {
    this.kept = [...unacknowledged];
    this.rejected = new Set(rejected);
  }

  get length(): number {
    return this.kept.length;
  }

  remember(): RememberedQueue {
    return { unacknowledged: this.kept, rejected: [...this.rejected] };
  }

  add(stanza: Stanza): void {
    this.kept.push(stanza);
  }

  countOf(tag: string): number {
    return this.kept.filter((stanza) => stanza.tag === tag).length;
  }

  /** A new connection: sends what it may have. True when that is all. */
  open(send: Send): boolean {
    const blocking = this.kept.filter((stanza) => this.isRejected(stanza));
    this.withheld = [...blocking, ...this.kept.filter((stanza) => !this.isRejected(stanza))];
    return this.goOn(send);
  }

  reject(id: string): void {
    if (this.kept.some(({ tag, attrs }) => tag === 'message' && attrs['id'] === id)) this.rejected.add(id);
  }

  /**
   * `of` tells receipts apart that share an id: of several devices, or of the delivery and the reading. Sends what
   * waited for this; true when nothing waits any more, and something did.
   */
  settle(tag: string, id: string, of: ReceiptMarks, send: Send): boolean {
    const isSettled = ({ tag: kept, attrs }: Stanza): boolean => {
      if (kept !== tag || attrs['id'] !== id) return false;
      return tag !== 'receipt' || (attrs['from'] === of.from && attrs['type'] === of.type);
    };
    const waited = this.withheld.length > 0;
    this.kept = this.kept.filter((stanza) => !isSettled(stanza));
    this.withheld = this.withheld.filter((stanza) => !isSettled(stanza));
    const wasBlocking = tag === 'message' && this.rejected.delete(id);
    if (wasBlocking) this.goOn(send);
    return waited && this.withheld.length === 0;
  }

  /** Sends up to the first message that must be acknowledged before the next. */
  private goOn(send: Send): boolean {
    const at = this.withheld.findIndex((stanza) => this.isRejected(stanza));
    const end = at < 0 ? this.withheld.length : at + 1;
    const free = this.withheld.slice(0, end);
    this.withheld = this.withheld.slice(end);
    free.forEach(send);
    return this.withheld.length === 0;
  }

  private isRejected({ tag, attrs }: Stanza): boolean {
    return tag === 'message' && this.rejected.has(attrs['id'] ?? '');
  }
}
