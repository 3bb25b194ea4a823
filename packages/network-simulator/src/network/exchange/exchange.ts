/**
 * The telephone exchange. It connects the remembered state, the journal and the live sessions of devices. Every change
 * of the state goes through `record`, which writes it to the journal and applies it.
 */
import { randomBytes } from 'node:crypto';
import { ArmedFaults } from '../faults/armed-faults.js';
import { isReceiptFault } from '../faults/faults.js';
import { Journal } from '../journal/journal.js';
import type { NewJournalEntry } from '../journal/journal-entry.js';
import { type LinkedDevice, sha256 } from '../people/linked-devices.js';
import { type Ban, type DueReceipt, NetworkState } from '../people/network-state.js';
import { type PersonReport, plainReport } from '../../protocol/person-report.js';
import { TimedQueue } from '../receiving/timed-queue.js';
import type { LiveSession } from './live-session.js';

export type UnlinkedBy = 'device' | 'phone' | 'relinked' | 'not_stored';

export type WriteOptions = {
  /** The id of an earlier message, which arrives again. */
  readonly id?: string | undefined;
  readonly report?: PersonReport | undefined;
};

const newMessageId = (): string => `SIM${randomBytes(9).toString('hex').toUpperCase()}`;

export class Exchange {
  readonly state: NetworkState;
  readonly journal: Journal;
  readonly faults = new ArmedFaults();
  readonly #sessions = new Map<string, LiveSession>();
  readonly #delivered: TimedQueue<DueReceipt>;
  readonly #read: TimedQueue<DueReceipt>;

  private constructor(state: NetworkState, journal: Journal, receiptDelayMs: number) {
    this.state = state;
    this.journal = journal;
    this.#delivered = new TimedQueue(receiptDelayMs, (receipt) => this.#report(receipt));
    this.#read = new TimedQueue(2 * receiptDelayMs, (receipt) => {
      // After a pause of this process both receipts are due, and either timer may fire first.
      this.#delivered.run();
      this.#report(receipt);
    });
  }

  /**
   * Replays the journal. Devices stay linked, inboxes and known ids are restored, and unsettled events are due at once.
   */
  static async open(journalFile: string | undefined, receiptDelayMs: number): Promise<Exchange> {
    const state = new NetworkState();
    const dueAtOnce = (receipt: DueReceipt): void =>
      receipt.device.outbox.add({ frame: receiptFrame(receipt), times: 1 });
    const journal = await Journal.open(journalFile, (entry) => state.apply(entry, dueAtOnce));
    return new Exchange(state, journal, receiptDelayMs);
  }

  record(entry: NewJournalEntry): void {
    this.state.apply(this.journal.append(entry), (receipt) => {
      (receipt.status === 'delivered' ? this.#delivered : this.#read).push(receipt);
    });
  }

  session(deviceId: string): LiveSession | undefined {
    return this.#sessions.get(deviceId);
  }

  sessions(): readonly LiveSession[] {
    return [...this.#sessions.values()];
  }

  /** Makes this the only session of the device. An older one ends with `replaced`. */
  enter(session: LiveSession): void {
    this.kick(session.device.deviceId);
    this.#sessions.set(session.device.deviceId, session);
    this.record({ kind: 'login', ...session.origin, number: session.device.number });
  }

  leave(session: LiveSession): void {
    this.record({ kind: 'disconnect', ...session.origin });
    if (this.#sessions.get(session.device.deviceId) === session) this.#sessions.delete(session.device.deviceId);
  }

  kick(deviceId: string): boolean {
    const session = this.#sessions.get(deviceId);
    if (!session) return false;
    this.record({ kind: 'kick', ...session.origin });
    session.wire.end('replaced');
    return true;
  }

  /** Links a device to a number. Only the device keeps the token. */
  link(deviceId: string, number: string): { device: LinkedDevice; token: string } {
    this.unlink(deviceId, 'relinked');
    const token = randomBytes(32).toString('base64url');
    this.record({ kind: 'link', device_id: deviceId, number, token_sha256: sha256(token) });
    this.journal.flush();
    const device = this.state.devices.byToken(token);
    if (!device) throw new Error('a device that was just linked is not there');
    return { device, token };
  }

  unlink(deviceId: string, by: UnlinkedBy): boolean {
    const device = this.state.devices.get(deviceId);
    if (!device) return false;
    this.record({ kind: 'unlink', device_id: deviceId, number: device.number, by });
    this.journal.flush();
    this.#sessions.get(deviceId)?.wire.end('logged_out');
    return true;
  }

  /** Bans the device's number, forever or until a time (unix, ms). Ends the sessions of all its devices. */
  ban(deviceId: string, until: number | null): boolean {
    const device = this.state.devices.get(deviceId);
    if (!device) return false;
    this.record({ kind: 'ban', number: device.number, until });
    this.journal.flush();
    const ban = this.state.banOf(device.number);
    if (ban) for (const companion of this.state.devices.ofNumber(device.number)) this.#endBanned(companion, ban);
    return true;
  }

  liftBan(deviceId: string): boolean {
    const device = this.state.devices.get(deviceId);
    if (!device || !this.state.banOf(device.number)) return false;
    this.record({ kind: 'lift_ban', number: device.number });
    return true;
  }

  /**
   * Stores a message to a number. Devices that are linked to it receive it at once, or after their next login. Returns its
   * id.
   */
  write(from: string, to: string, text: string, { id = newMessageId(), report }: WriteOptions = {}): string {
    const offline = !this.state.devices.ofNumber(to).some(({ deviceId }) => this.#sessions.has(deviceId));
    const more = report === undefined && !offline ? {} : { report: { ...(report ?? plainReport), offline } };
    this.record({ kind: 'inbound', network_message_id: id, from, recipient: to, text, ...more });
    this.announce(to);
    return id;
  }

  /** Sends the devices of a number the events in their outboxes, after the journal is written. */
  announce(number: string): void {
    const devices = this.state.devices.ofNumber(number);
    if (devices.length === 0) return;
    this.journal.afterWrite(() => {
      for (const { deviceId } of devices) this.#sessions.get(deviceId)?.pump();
    });
  }

  close(): void {
    this.faults.clear();
    this.#delivered.stop();
    this.#read.stop();
    this.journal.close();
  }

  #endBanned({ deviceId }: LinkedDevice, ban: Ban): void {
    const until = ban.reason === 'temporarily_banned' ? ban.until : undefined;
    this.#sessions.get(deviceId)?.wire.end(ban.reason, until);
  }

  #report(receipt: DueReceipt): void {
    const { device, n, recipient } = receipt;
    if (this.state.devices.get(device.deviceId) !== device) return;
    const fault = this.faults.fire(isReceiptFault, device.deviceId, recipient);
    if (fault) this.record({ kind: 'fault', fault: fault.kind, device_id: device.deviceId });
    if (fault?.kind === 'receipt_lost') {
      this.record({ kind: 'settled', device_id: device.deviceId, events: [n] });
      return;
    }
    device.outbox.add({ frame: receiptFrame(receipt), times: fault ? 2 : 1 });
    this.#sessions.get(device.deviceId)?.pump();
  }
}

function receiptFrame({ n, id, status }: DueReceipt) {
  return { t: 'receipt', n, id, status } as const;
}
