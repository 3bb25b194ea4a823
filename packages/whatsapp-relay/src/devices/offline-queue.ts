/**
 * The stanzas that a device has not acknowledged yet. The server sends them again at the next login, oldest first.
 * A message that the device acknowledged with an error goes before all others. The server takes the error for a failed
 * delivery. It withholds the rest of the queue until the device acknowledges that message plainly (Baileys #2779). New
 * stanzas do not wait for the queue.
 */
import type { Stanza } from '../wire/stanza.js';

export type ReceiptMarks = { readonly from?: string | undefined; readonly type?: string | undefined };

export type RememberedQueue = { readonly unacknowledged: readonly Stanza[]; readonly rejected?: readonly string[] };

type Send = (kept: Stanza) => void;

export class OfflineQueue {
  private kept: Stanza[];
  /** Ids of messages that the device acknowledged with an error. */
  private readonly rejected: Set<string>;
  /** Stanzas that the relay has not sent on this connection yet. */
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

  /** Begins a connection and sends all stanzas that it may have. Returns whether that was the whole queue. */
  open(send: Send): boolean {
    const blocking = this.kept.filter((stanza) => this.isRejected(stanza));
    this.withheld = [...blocking, ...this.kept.filter((stanza) => !this.isRejected(stanza))];
    return this.goOn(send);
  }

  reject(id: string): void {
    if (this.kept.some(({ tag, attrs }) => tag === 'message' && attrs['id'] === id)) this.rejected.add(id);
  }

  /**
   * Removes an acknowledged stanza, then sends the stanzas that waited for it. Receipts can share an id: those of
   * several devices, and those of delivery and reading. `of` tells them apart.
   * Returns true if stanzas were withheld and none is any more.
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

  /** Sends the stanzas up to and including the next rejected message. */
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
