/**
 * Everything that the network remembers, as a fold over the entries of the journal. Only `apply` changes it, both live
 * and during a replay.
 */
import type { JournalEntry, JournalEntryOf } from '../journal/journal-entry.js';
import { eventNumber } from '../receiving/event-number.js';
import { type LinkedDevice, LinkedDevices } from './linked-devices.js';
import { PhoneBook } from './phone-book.js';

export type Ban = { readonly reason: 'banned' } | { readonly reason: 'temporarily_banned'; readonly until: number };

/** A receipt that the device which wrote to a phone will get from it. */
export type DueReceipt = {
  readonly device: LinkedDevice;
  readonly recipient: string;
  readonly n: number;
  readonly id: string;
  readonly status: 'delivered' | 'read';
};

export class NetworkState {
  readonly phones = new PhoneBook();
  readonly devices = new LinkedDevices();
  readonly #bans = new Map<string, number | null>();
  #lastSocket = 0;

  /** The highest id of a socket so far. New ids follow it, so that no two sockets in a journal share one. */
  get lastSocket(): number {
    return this.#lastSocket;
  }

  /** Calls `onReceipt` for each receipt that a message causes. */
  apply(entry: JournalEntry, onReceipt: (receipt: DueReceipt) => void): void {
    switch (entry.kind) {
      case 'message':
        this.#deliver(entry);
        for (const receipt of this.#receiptsFor(entry)) onReceipt(receipt);
        return;
      case 'inbound':
        this.#deliver(entry);
        return;
      case 'settled':
        for (const n of entry.events) this.devices.get(entry.device_id)?.outbox.settle(n);
        return;
      case 'link':
        this.phones.add(entry.number);
        this.devices.link(entry.device_id, entry.number, entry.token_sha256);
        return;
      case 'unlink':
        this.devices.unlink(entry.device_id);
        return;
      case 'ban':
        this.#bans.set(entry.number, entry.until);
        return;
      case 'lift_ban':
        this.#bans.delete(entry.number);
        return;
      case 'phones':
        for (const number of entry.numbers) this.phones.add(number);
        return;
      case 'login':
        this.#lastSocket = Math.max(this.#lastSocket, entry.socket);
        return;
      case 'refused':
      case 'kick':
      case 'disconnect':
      case 'fault':
        // The network remembers nothing of these events.
        return;
    }
  }

  banOf(number: string): Ban | null {
    const until = this.#bans.get(number);
    if (until === undefined) return null;
    if (until === null) return { reason: 'banned' };
    return until > Date.now() ? { reason: 'temporarily_banned', until } : null;
  }

  #deliver(entry: JournalEntryOf<'message'> | JournalEntryOf<'inbound'>): void {
    const { n, network_message_id: id, from, recipient, text, at } = entry;
    const repeat = entry.kind === 'message' && entry.repeat;
    const report = entry.kind === 'inbound' ? entry.report : undefined;
    // Only a message that a phone can read stands in its inbox.
    if (report === undefined || report.kind === 'message')
      this.phones.deliver(recipient, { n, id, from, text, receivedAt: at });
    if (repeat) return;
    for (const { outbox } of this.devices.ofNumber(recipient)) {
      outbox.add({ frame: { t: 'inbound', n: eventNumber(n, 'inbound'), id, from, text, at, report }, times: 1 });
    }
  }

  /** A repeat is delivered once more, but not read once more. */
  #receiptsFor(entry: JournalEntryOf<'message'>): DueReceipt[] {
    const device = this.devices.get(entry.device_id);
    if (!device) return [];
    const { n, network_message_id: id, recipient } = entry;
    const delivered: DueReceipt = { device, recipient, n: eventNumber(n, 'delivered'), id, status: 'delivered' };
    return entry.repeat ? [delivered] : [delivered, { ...delivered, n: eventNumber(n, 'read'), status: 'read' }];
  }
}
