/**
 * The phones: which numbers exist, the messages in each inbox, who types to it, and who read what it wrote.
 *
 * If a message has the same id, sender and phone as an earlier one, the phone shows it once and counts it in `copies`.
 * Memory is bounded. An inbox keeps its newest `MAX_INBOX_MESSAGES`. Ids are known for one to two generations of
 * `IDS_PER_GENERATION` messages of the whole network. Older messages leave the inboxes with their ids. The journal
 * keeps all.
 */
import { phoneNumber } from '../../protocol/frames.js';

const MAX_INBOX_MESSAGES = 10_000;
const MAX_TYPING_SIGNALS = 100;
const MAX_READ_MARKS = 1_000;
const TYPING_LASTS_MS = 25_000;
const IDS_PER_GENERATION = 500_000;

export type InboxMessage = {
  /** The number of the entry that delivered it. */
  readonly n: number;
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** How many repeats were dropped. */
  copies: number;
};

export type TypingSignal = { readonly from: string; readonly action: 'start' | 'stop'; readonly at: Date };

/** The device's number `by` told that it read the message `id` of the phone. */
export type ReadMark = { readonly id: string; readonly by: string; readonly at: Date };

type Phone = { inbox: InboxMessage[]; typing: TypingSignal[]; read: ReadMark[] };

export class PhoneBook {
  readonly #phones = new Map<string, Phone>();
  readonly #added = new Set<string>();
  readonly #generationSize: number;
  #recent = new Map<string, InboxMessage>();
  #older = new Map<string, InboxMessage>();

  constructor(generationSize: number = IDS_PER_GENERATION) {
    this.#generationSize = generationSize;
  }

  /** Every valid number has a phone, except numbers ending in 0000 that nobody added. */
  exists(number: string): boolean {
    if (this.#added.has(number)) return true;
    return !number.endsWith('0000') && phoneNumber.safeParse(number).success;
  }

  add(number: string): void {
    this.#added.add(number);
    this.#phone(number);
  }

  has(from: string, to: string, id: string): boolean {
    return this.#find(from, to, id) !== undefined;
  }

  /** Shows the message, or counts it when the phone has it already. */
  deliver(to: string, message: Omit<InboxMessage, 'copies'>): void {
    const known = this.#find(message.from, to, message.id);
    if (known) {
      known.copies += 1;
      return;
    }
    const shown = { ...message, copies: 0 };
    this.#remember(keyOf(message.from, to, message.id), shown);
    const { inbox } = this.#phone(to);
    inbox.push(shown);
    if (inbox.length >= 2 * MAX_INBOX_MESSAGES) inbox.splice(0, inbox.length - MAX_INBOX_MESSAGES);
  }

  /** The newest messages of a phone, oldest first. */
  inbox(number: string, limit: number = MAX_INBOX_MESSAGES): readonly InboxMessage[] {
    const inbox = this.#phones.get(number)?.inbox ?? [];
    return inbox.slice(-Math.min(limit, MAX_INBOX_MESSAGES));
  }

  signalTyping(to: string, signal: TypingSignal): void {
    const { typing } = this.#phone(to);
    typing.push(signal);
    if (typing.length > MAX_TYPING_SIGNALS) typing.shift();
  }

  /** The newest signals, oldest first. */
  typing(number: string): readonly TypingSignal[] {
    return this.#phones.get(number)?.typing ?? [];
  }

  /** A repeat is shown too. */
  markRead(to: string, by: string, ids: readonly string[]): void {
    const phone = this.#phone(to);
    const at = new Date();
    phone.read = [...phone.read, ...ids.map((id) => ({ id, by, at }))].slice(-MAX_READ_MARKS);
  }

  /** The newest marks, oldest first. */
  readMarks(number: string): readonly ReadMark[] {
    return this.#phones.get(number)?.read ?? [];
  }

  /** The numbers that are shown as typing. Their last signal is a fresh start, and no message followed it. */
  typingNow(number: string, now: Date): readonly string[] {
    const last = new Map<string, TypingSignal>();
    for (const signal of this.typing(number)) last.set(signal.from, signal);
    return [...last.values()].filter((signal) => this.#stillTyping(number, signal, now)).map((signal) => signal.from);
  }

  /** Phones that were added, or to which something came, newest first. */
  list(limit: number): readonly { number: string; messages: number }[] {
    const newest = [...this.#phones].reverse().slice(0, limit);
    return newest.map(([number, phone]) => ({ number, messages: Math.min(phone.inbox.length, MAX_INBOX_MESSAGES) }));
  }

  #stillTyping(number: string, signal: TypingSignal, now: Date): boolean {
    if (signal.action === 'stop' || now.getTime() - signal.at.getTime() > TYPING_LASTS_MS) return false;
    const lastMessage = this.#phones.get(number)?.inbox.findLast((message) => message.from === signal.from);
    return lastMessage === undefined || new Date(lastMessage.receivedAt) < signal.at;
  }

  #phone(number: string): Phone {
    let phone = this.#phones.get(number);
    if (!phone) {
      phone = { inbox: [], typing: [], read: [] };
      this.#phones.set(number, phone);
    }
    return phone;
  }

  #find(from: string, to: string, id: string): InboxMessage | undefined {
    const key = keyOf(from, to, id);
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  #remember(key: string, message: InboxMessage): void {
    this.#recent.set(key, message);
    if (this.#recent.size < this.#generationSize) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#forgetBefore(this.#older.values().next().value?.n ?? 0);
  }

  #forgetBefore(n: number): void {
    for (const [number, phone] of this.#phones) {
      phone.inbox = phone.inbox.filter((message) => message.n >= n);
      if (phone.inbox.length === 0 && !this.#added.has(number)) this.#phones.delete(number);
    }
  }
}

function keyOf(from: string, to: string, id: string): string {
  return `${from}/${to}/${id}`;
}
