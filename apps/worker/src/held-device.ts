/**
 * Step 6, session: one held device from the lease to its release. `reconcile` compares what the customer wants
 * with what stands and starts what is missing: linking, connecting, logging out. It may be called at any time
 * and any number of times.
 *
 * All that is written carries the lease's epoch. When the lease is lost, the sockets are closed and nothing more
 * is written.
 */
import { deviceReasons } from '@kurir/contracts';
import {
  type Contact,
  type DeviceIntent,
  failMessagesOfUnlinked,
  type GroupCommit,
  type Holder,
  openDeviceProxy,
  readLeaseOwner,
  type StateNote,
  type Sealer,
  writeDeviceState,
  writeLinked,
  writeReplaced,
  writeUnlinked,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Driver, SessionEnd, TypingAction } from '@kurir/network';
import type { ConnectGate } from './connect-gate.js';
import { ConnectTimes } from './connect-times.js';
import { createCredentialStore } from './credential-store.js';
import { type ConnectionParts, DeviceConnection } from './device-connection.js';
import { DeviceConnector } from './device-connector.js';
import { DeviceLinking } from './device-linking.js';
import { forgetSessions } from './forget-sessions.js';
import { logSessionEnd } from './log-session-end.js';
import { type ContactNotes, createContactNotes, noContactNotes } from './note-contacts.js';
import { throughProxy } from './proxied-driver.js';
import type { ReconnectDelay } from './reconnect-delay.js';
import { type Drivers, networkInUse } from './network-in-use.js';
import type { LastTry } from './try-message.js';
import { createTypingBeforeText, type TypingBeforeText } from './typing-before-text.js';

export type HeldDeviceParts = ConnectionParts & {
  readonly sealer: Sealer;
  readonly drivers: Drivers;
  readonly contacts: GroupCommit<Contact, void>;
  readonly gate: ConnectGate;
  /** For each device, the time between its connections; the usual backoff when left out. */
  readonly reconnectDelay?: () => ReconnectDelay;
  /** The network refused the version of its client that a device appeared as; null: it is not known which. */
  readonly clientRefused?: (version: string | null) => void;
  readonly log: Logger;
};

function isSameProxy(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

export class HeldDevice {
  readonly holder: Holder;
  readonly #parts: HeldDeviceParts;
  readonly #log: Logger;
  readonly #times: ConnectTimes;
  readonly #driver: Driver;
  readonly #linking: DeviceLinking;
  readonly #connector: DeviceConnector;
  readonly #contacts: ContactNotes;
  readonly #typing: TypingBeforeText;
  /** Of this lease: another connection goes on with it. */
  readonly #lastTry: LastTry = { name: '', unstored: null };
  #intent: DeviceIntent;
  /** When the reading of our intent began, or our own last change of it was committed. */
  #intentKnownAt = 0;
  #connection: DeviceConnection | null = null;
  /** The newest wish to forget sessions that was taken up, whatever came of it. */
  #lastWishAt = new Date(0);
  #over = false;
  /** Its sockets are closed, or were told to. */
  #closed = false;

  constructor(holder: Holder, intent: DeviceIntent, parts: HeldDeviceParts) {
    this.holder = holder;
    this.#intent = intent;
    this.#parts = parts;
    this.#log = parts.log.child({ deviceId: holder.deviceId, epoch: String(holder.epoch) });
    const { driver, limitsNewContacts, hasTyping } = networkInUse(parts.drivers, intent.network);
    this.#driver = throughProxy(driver, () => this.#proxyUrl());
    this.#contacts = limitsNewContacts ? createContactNotes(parts.database, parts.contacts, holder) : noContactNotes;
    this.#times = new ConnectTimes(intent.toldToWaitUntil, parts.reconnectDelay?.());
    this.#typing = createTypingBeforeText(() => (hasTyping ? this.#intent.typingMs : 0), this.#log);
    this.#linking = new DeviceLinking({
      database: parts.database,
      holder,
      driver: this.#driver,
      credentials: this.#credentials(),
      linked: (phoneNumber) => this.#linked(phoneNumber),
      notLinked: () => this.#isUnlinked(),
      clientRefused: () => parts.clientRefused?.(null),
      leaseLost: () => this.fence(),
      log: this.#log,
    });
    this.#connector = new DeviceConnector({
      database: parts.database,
      holder,
      gate: parts.gate,
      times: this.#times,
      isOver: () => this.#over,
      prepare: () => this.#forgetSessions(),
      open: (leaveGate) => {
        this.#connection = this.#openConnection(leaveGate);
      },
      due: () => this.#reconcile(),
      log: this.#log,
    });
  }

  /** Nothing is wanted of this device any more: its lease can go. */
  get isIdle(): boolean {
    return (
      this.#intent.desiredState === 'unlinked' &&
      !this.#intent.linked &&
      !this.#linking.isUnderWay &&
      this.#connection === null
    );
  }

  get isSending(): boolean {
    return this.#connection?.isConnected === true && this.#connection.isLaneOpen;
  }

  /** A turn is running. */
  get isBusy(): boolean {
    return this.#connection?.isBusy === true;
  }

  /** Milliseconds for which BullMQ has given the open lane no turn; 0 while one runs or waits to, or no lane is open. */
  get laneIdleMs(): number {
    return this.#connection?.laneIdleMs ?? 0;
  }

  /**
   * Starts whatever is missing between intent and state. `readAt`: by `performance.now()`, before the reading began.
   * `mayReconnect`: asked before a session is closed that its device may forget others; false: a later call does it.
   */
  reconcile(intent: DeviceIntent, readAt: number = performance.now(), mayReconnect: () => boolean = () => true): void {
    // Older than what we know, it would undo that: link again what is linked, connect what is not.
    if (readAt < this.#intentKnownAt) return;
    this.#intentKnownAt = readAt;
    const before = this.#intent;
    this.#intent = intent;
    if (!this.#over) this.#applySettings(before);
    this.#reconcile(mayReconnect);
  }

  /** Typing is asked for at each text; a proxy belongs to the connection. */
  #applySettings(before: DeviceIntent): void {
    const { contested, pacePerMinute, proxySealed } = this.#intent;
    if (before.contested && !contested) this.#times.reconnectAsked();
    if (!isSameProxy(before.proxySealed, proxySealed)) {
      this.#times.proxyChanged();
      this.#linking.restart();
      if (this.#connection !== null) this.#background(this.#connection.reconnect(), 'old connection did not close');
    } else if (before.pacePerMinute !== pacePerMinute) this.#connection?.paceChanged();
  }

  #reconcile(mayReconnect: () => boolean = () => true): void {
    if (this.#over) return;
    const { linked, desiredState, contested } = this.#intent;
    if (!linked) return this.#reconcileUnlinked();
    this.#linking.cancel();
    const connection = this.#connection;
    if (connection === null) {
      if (desiredState === 'unlinked' && this.#times.cannotLogOut) return this.#forget();
      // A logout is what a person asked for, and it ends the contest.
      if (contested && desiredState === 'linked') return;
      return this.#connector.connectWhenDue();
    }
    if (desiredState === 'unlinked') return this.#background(connection.logOut(), 'logout failed');
    if (connection.isConnected && this.#isToForget && mayReconnect())
      return this.#background(connection.reconnect(), 'old connection did not close');
    if (connection.isConnected && !connection.isLaneOpen)
      this.#background(connection.open(), 'connected device not opened');
  }

  /** The next session does it before it connects. A wish that was put off waits for one that comes by itself. */
  get #isToForget(): boolean {
    const { forgetSessionsAt } = this.#intent;
    return forgetSessionsAt !== null && forgetSessionsAt > this.#lastWishAt;
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    return (await this.#connection?.typing(recipient, action)) ?? 'not-connected';
  }

  /** A newer client is there: a device that was refused with an older one waits no longer. */
  clientChanged(): void {
    if (this.#times.clientChanged()) this.#reconcile();
  }

  /** Takes up what a crash or a failed write left unanswered. */
  async recover(): Promise<void> {
    await this.#connection?.recover();
  }

  /** A lane that waits without consuming is opened anew. */
  async reopenLane(): Promise<void> {
    this.#log.warn('lane stood still, opening it again');
    this.#connection?.reopenLane();
  }

  /** Finishes the running turn and closes the connection. The lease can be released afterwards. */
  async handOver(): Promise<void> {
    this.#end();
    await this.#linking.end();
    await this.#connection?.handOver();
  }

  /** The lease is lost, or may be: closes and writes nothing more. */
  fence(): void {
    if (this.#closed) return;
    this.#log.warn('lease lost, closing');
    this.close();
  }

  /** Closes the sockets now, whatever is in flight. */
  close(): void {
    this.#closed = true;
    this.#end();
    this.#linking.cancel();
    this.#connection?.close();
  }

  #end(): void {
    this.#over = true;
    this.#connector.stop();
  }

  #background(work: Promise<unknown>, trouble: string): void {
    work.catch((err: unknown) => this.#log.warn({ err }, trouble));
  }

  /** Throws `RecordUnreadable`. */
  #proxyUrl(): string | null {
    const { proxySealed } = this.#intent;
    return proxySealed === null ? null : openDeviceProxy(this.#parts.sealer, this.holder.deviceId, proxySealed);
  }

  #credentials() {
    return createCredentialStore(this.#parts.database, this.#parts.sealer, this.holder);
  }

  #reconcileUnlinked(): void {
    const { desiredState, pairing } = this.#intent;
    if (desiredState === 'unlinked') return this.#linking.cancel();
    if (this.#connection === null && pairing !== null) this.#linking.want(pairing);
  }

  async #linked(phoneNumber: string): Promise<void> {
    // Whoever unlinked the account before may have died before it ended what waited: that must not go out through this one.
    await this.#endWaiting();
    if (!(await writeLinked(this.#parts.database, this.holder, phoneNumber))) return this.fence();
    this.#changeIntent({ linked: true, pairing: null, contested: false, forgetSessionsAt: null });
    this.#times.linked();
    this.#reconcile();
  }

  #changeIntent(change: Partial<DeviceIntent>): void {
    this.#intent = { ...this.#intent, ...change };
    this.#intentKnownAt = performance.now();
  }

  async #forgetSessions(): Promise<void> {
    const { forgetSessionsAt: askedAt } = this.#intent;
    if (askedAt === null) return;
    this.#lastWishAt = askedAt;
    const wish = { database: this.#parts.database, holder: this.holder, driver: this.#driver, askedAt, log: this.#log };
    const end = await forgetSessions({ ...wish, credentials: this.#credentials() });
    if (end === 'lease-lost') return this.fence();
    if (end === 'forgotten') this.#changeIntent({ forgetSessionsAt: null });
  }

  /** Nothing can be told to the network: the link ends here, and the phone's owner has to end it there. */
  #forget(): void {
    this.#background(this.#writeUnlinked('disconnected', { reason: 'not_logged_out' }), 'end of a link not written');
  }

  #openConnection(leaveGate: () => void): DeviceConnection {
    const context = {
      holder: this.holder,
      driver: this.#driver,
      credentials: this.#credentials(),
      contacts: this.#contacts,
      typing: this.#typing,
      lastTry: this.#lastTry,
      isOver: () => this.#over,
      connected: () => this.#connected(),
      ended: (connection: DeviceConnection, end: SessionEnd) =>
        this.#background(this.#ended(connection, end), 'end of session not written'),
      leaseLost: () => this.fence(),
      log: this.#log,
    };
    return new DeviceConnection(this.#parts, context, leaveGate);
  }

  #connected(): void {
    this.#times.connected();
    this.#log.info('device connected');
    this.#reconcile();
  }

  async #ended(connection: DeviceConnection, end: SessionEnd): Promise<void> {
    logSessionEnd(this.#log, end);
    try {
      // Before a link is ended: a message that was not written waits again by then, and fails. As `sending` it would be `unknown`.
      if (end.next === 'relink' || end.next === 'banned') await connection.idle();
      if (!this.#over) await this.#writeEnd(end);
      await connection.idle();
    } finally {
      // Not before: until the end is written and the last turn is over, nobody connects anew.
      this.#connection = null;
    }
    // Not before: a newer client that is there already leads to a new connection.
    if (end.reason === 'client_outdated') this.#parts.clientRefused?.(end.detail ?? null);
    this.#reconcile();
  }

  async #writeEnd(end: SessionEnd): Promise<void> {
    const { reason, detail, until } = end;
    // The link ended while it connected, so that it found no credentials: why it ended is written already.
    if (!this.#intent.linked) return;
    if (end.next === 'relink') return this.#writeUnlinked('disconnected', { reason, detail });
    if (end.next === 'banned') return this.#writeUnlinked('banned', { reason, detail });
    if (end.next === 'check-lease') {
      const owner = await readLeaseOwner(this.#parts.database, this.holder.deviceId);
      if (owner !== this.holder.owner) return this.fence();
    }
    if (reason === 'replaced') return this.#writeReplaced(end);
    this.#times.ended(end);
    await writeDeviceState(this.#parts.database, this.holder, 'connecting', { reason, detail, until });
  }

  async #writeReplaced(end: SessionEnd): Promise<void> {
    const replacement = await writeReplaced(this.#parts.database, this.holder);
    if (replacement === null) return this.fence();
    this.#times.ended(end, replacement.times);
    if (replacement.reason !== 'contested') return;
    this.#changeIntent({ contested: true });
    this.#log.error(
      { reason: 'contested', instruction: deviceReasons.contested },
      'device is contested, it waits for a person',
    );
  }

  async #writeUnlinked(state: 'disconnected' | 'banned', note: StateNote): Promise<void> {
    if (!(await writeUnlinked(this.#parts.database, this.holder, state, note))) return this.fence();
    this.#log.info({ state, reason: note.reason }, 'device unlinked');
    await this.#isUnlinked();
  }

  async #isUnlinked(): Promise<void> {
    this.#changeIntent({ linked: false, desiredState: 'unlinked', pairing: null, contested: false });
    this.#lastTry.unstored = null;
    await this.#endWaiting();
  }

  /** What waits of an account that is no longer linked, to the last message: the statement takes a bite at a time. */
  async #endWaiting(): Promise<void> {
    while ((await failMessagesOfUnlinked(this.#parts.database, this.holder.deviceId)) > 0);
  }
}
