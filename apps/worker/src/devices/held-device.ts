/**
 * Step 6, session: one held device from the lease to its release. `reconcile` compares what the customer wants
 * with what stands and starts what is missing: linking, connecting, logging out. It may be called at any time
 * and any number of times.
 *
 * All that is written carries the lease's epoch. When the lease is lost, the sockets are closed and nothing more
 * is written.
 */
import {
  type Contact,
  type DeviceIntent,
  type GroupCommit,
  type Holder,
  openDeviceProxy,
  type Sealer,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Driver, SessionEnd, TypingAction } from '@kurir/network';
import type { ConnectGate } from './connecting/connect-gate.js';
import { ConnectTimes } from './connecting/connect-times.js';
import { createCredentialStore } from './credential-store.js';
import { type ConnectionParts, DeviceConnection } from './device-connection.js';
import { DeviceConnector } from './connecting/device-connector.js';
import { DeviceLinking } from './device-linking.js';
import { forgetSessions } from './forget-sessions.js';
import { KnownIntent } from './known-intent.js';
import { type SessionEndContext, writeSessionEnd } from './write-session-end.js';
import { StoredLink } from './stored-link.js';
import { logSessionEnd } from './log-session-end.js';
import { type ContactNotes, createContactNotes, noContactNotes } from '../messages/note-contacts.js';
import { isSameProxy, throughProxy } from '../networks/proxied-driver.js';
import type { ReconnectDelay } from './connecting/reconnect-delay.js';
import { type Drivers, networkInUse } from '../networks/network-in-use.js';
import type { LastTry } from '../messages/try-message.js';
import { createTypingBeforeText, type TypingBeforeText } from '../messages/typing-before-text.js';

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

export class HeldDevice {
  readonly holder: Holder;
  readonly #parts: HeldDeviceParts;
  readonly #log: Logger;
  readonly #times: ConnectTimes;
  readonly #driver: Driver;
  readonly #link: StoredLink;
  readonly #linking: DeviceLinking;
  readonly #connector: DeviceConnector;
  readonly #contacts: ContactNotes;
  readonly #typing: TypingBeforeText;
  /** Of this lease: another connection goes on with it. */
  readonly #lastTry: LastTry = { name: '', unstored: null };
  readonly #intent: KnownIntent;
  #connection: DeviceConnection | null = null;
  #over = false;
  /** Its sockets are closed, or were told to. */
  #closed = false;

  constructor(holder: Holder, intent: DeviceIntent, parts: HeldDeviceParts) {
    this.holder = holder;
    this.#intent = new KnownIntent(intent);
    this.#parts = parts;
    this.#log = parts.log.child({ deviceId: holder.deviceId, epoch: String(holder.epoch) });
    const { driver, limitsNewContacts, hasTyping } = networkInUse(parts.drivers, intent.network);
    this.#driver = throughProxy(driver, () => this.#proxyUrl());
    this.#contacts = limitsNewContacts ? createContactNotes(parts.database, parts.contacts, holder) : noContactNotes;
    this.#times = new ConnectTimes(intent.toldToWaitUntil, parts.reconnectDelay?.());
    this.#typing = createTypingBeforeText(() => (hasTyping ? this.#intent.now.typingMs : 0), this.#log);
    this.#link = new StoredLink({
      database: parts.database,
      holder,
      intent: this.#intent,
      lastTry: this.#lastTry,
      leaseLost: () => this.fence(),
      log: this.#log,
    });
    this.#linking = new DeviceLinking({
      database: parts.database,
      holder,
      driver: this.#driver,
      credentials: this.#credentials(),
      linked: (phoneNumber) => this.#linked(phoneNumber),
      notLinked: () => this.#link.unlinkedAlready(),
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
      this.#intent.now.desiredState === 'unlinked' &&
      !this.#intent.now.linked &&
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
    const before = this.#intent.take(intent, readAt);
    if (before === null) return;
    if (!this.#over) this.#applySettings(before);
    this.#reconcile(mayReconnect);
  }

  /** Typing is asked for at each text; a proxy belongs to the connection. */
  #applySettings(before: DeviceIntent): void {
    const { contested, pacePerMinute, proxySealed } = this.#intent.now;
    if (before.contested && !contested) this.#times.reconnectAsked();
    if (!isSameProxy(before.proxySealed, proxySealed)) {
      this.#times.proxyChanged();
      this.#linking.restart();
      if (this.#connection !== null) this.#background(this.#connection.reconnect(), 'old connection did not close');
    } else if (before.pacePerMinute !== pacePerMinute) this.#connection?.paceChanged();
  }

  #reconcile(mayReconnect: () => boolean = () => true): void {
    if (this.#over) return;
    const { linked, desiredState, contested } = this.#intent.now;
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
    if (connection.isConnected && this.#intent.isToForget && mayReconnect())
      return this.#background(connection.reconnect(), 'old connection did not close');
    if (connection.isConnected && !connection.isLaneOpen)
      this.#background(connection.open(), 'connected device not opened');
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
    const { proxySealed } = this.#intent.now;
    return proxySealed === null ? null : openDeviceProxy(this.#parts.sealer, this.holder.deviceId, proxySealed);
  }

  #credentials() {
    return createCredentialStore(this.#parts.database, this.#parts.sealer, this.holder);
  }

  #reconcileUnlinked(): void {
    const { desiredState, pairing } = this.#intent.now;
    if (desiredState === 'unlinked') return this.#linking.cancel();
    if (this.#connection === null && pairing !== null) this.#linking.want(pairing);
  }

  async #linked(phoneNumber: string): Promise<void> {
    if (!(await this.#link.linked(phoneNumber))) return;
    this.#times.linked();
    this.#reconcile();
  }

  async #forgetSessions(): Promise<void> {
    const askedAt = this.#intent.beginForgetting();
    if (askedAt === null) return;
    const wish = { database: this.#parts.database, holder: this.holder, driver: this.#driver, askedAt, log: this.#log };
    const end = await forgetSessions({ ...wish, credentials: this.#credentials() });
    if (end === 'lease-lost') return this.fence();
    if (end === 'forgotten') this.#intent.change({ forgetSessionsAt: null });
  }

  /** Nothing can be told to the network: the link ends here, and the phone's owner has to end it there. */
  #forget(): void {
    this.#background(this.#link.unlinked('disconnected', { reason: 'not_logged_out' }), 'end of a link not written');
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

  #endContext(): SessionEndContext {
    return {
      database: this.#parts.database,
      holder: this.holder,
      intent: this.#intent,
      link: this.#link,
      times: this.#times,
      leaseLost: () => this.fence(),
      log: this.#log,
    };
  }

  async #ended(connection: DeviceConnection, end: SessionEnd): Promise<void> {
    logSessionEnd(this.#log, end);
    try {
      // Before a link is ended: a message that was not written waits again by then, and fails. As `sending` it would be `unknown`.
      if (end.next === 'relink' || end.next === 'banned') await connection.idle();
      if (!this.#over) await writeSessionEnd(this.#endContext(), end);
      await connection.idle();
    } finally {
      // Not before: until the end is written and the last turn is over, nobody connects anew.
      this.#connection = null;
    }
    // Not before: a newer client that is there already leads to a new connection.
    if (end.reason === 'client_outdated') this.#parts.clientRefused?.(end.detail ?? null);
    this.#reconcile();
  }
}
