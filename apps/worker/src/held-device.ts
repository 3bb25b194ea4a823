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
  failUnlinkedMessages,
  type GroupCommit,
  type Holder,
  openDeviceProxy,
  readLeaseOwner,
  type Sealer,
  writeDeviceState,
  writeLinked,
  writeUnlinked,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Driver, LinkEnd, SessionEnd, TypingAction } from '@kurir/network';
import type { ConnectGate } from './connect-gate.js';
import { createCredentialStore } from './credential-store.js';
import { type ConnectionParts, DeviceConnection } from './device-connection.js';
import { DeviceLinking } from './device-linking.js';
import { instructionFor } from './instruct-operator.js';
import { type ContactNotes, createContactNotes, noContactNotes } from './note-contacts.js';
import { createPolitePace, type PolitePace } from './polite-pace.js';
import { throughProxy } from './proxied-driver.js';
import { createReconnectDelay } from './reconnect-delay.js';

export type HeldDeviceParts = ConnectionParts & {
  readonly sealer: Sealer;
  readonly drivers: ReadonlyMap<string, Driver>;
  readonly contacts: GroupCommit<Contact, void>;
  readonly gate: ConnectGate;
  /** From 0 to 1, for the jitter of paces. */
  readonly random?: () => number;
  readonly log: Logger;
};

function isSameProxy(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

export class HeldDevice {
  readonly holder: Holder;
  readonly #parts: HeldDeviceParts;
  readonly #log: Logger;
  readonly #delay = createReconnectDelay();
  readonly #driver: Driver | null;
  readonly #linking: DeviceLinking;
  readonly #contacts: ContactNotes;
  readonly #pace: PolitePace;
  #intent: DeviceIntent;
  /** When our own last change of the intent was committed. */
  #intentChangedAt = 0;
  #connection: DeviceConnection | null = null;
  #connecting = false;
  #notBefore = 0;
  #over = false;

  constructor(holder: Holder, intent: DeviceIntent, parts: HeldDeviceParts) {
    this.holder = holder;
    this.#intent = intent;
    this.#parts = parts;
    this.#log = parts.log.child({ deviceId: holder.deviceId, epoch: String(holder.epoch) });
    const driver = parts.drivers.get(intent.network);
    this.#driver = driver === undefined ? null : throughProxy(driver, () => this.#proxyUrl());
    this.#contacts =
      driver?.capabilities.limitsNewContacts === true
        ? createContactNotes(parts.database, parts.contacts, holder, this.#log)
        : noContactNotes;
    this.#pace = createPolitePace(() => this.#intent, this.#log, parts.random);
    this.#linking = new DeviceLinking({
      database: parts.database,
      holder,
      driver: this.#driver,
      credentials: this.#credentials(),
      ended: (end) => this.#linkEnded(end),
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

  /** A turn or a settlement is running. */
  get isBusy(): boolean {
    return this.#connection?.isBusy === true;
  }

  /** Milliseconds for which the open lane has taken no turn; 0 while one is running or no lane is open. */
  get laneIdleMs(): number {
    return this.#connection?.laneIdleMs ?? 0;
  }

  /** The time between two turns that the device's pace asks for. */
  get turnIntervalMs(): number {
    return this.#intent.pacePerMinute === null ? 0 : 60_000 / this.#intent.pacePerMinute;
  }

  /** Starts whatever is missing between intent and state. `readAt`: by `performance.now()`, before the reading began. */
  reconcile(intent: DeviceIntent, readAt: number = performance.now()): void {
    // Read before our own change was committed, it would undo it: link again what is linked, connect what is not.
    if (readAt < this.#intentChangedAt) return;
    const before = this.#intent;
    this.#intent = intent;
    if (!this.#over) this.#applySettings(before);
    this.#reconcile();
  }

  /** Jitter and typing are asked for at each turn; a pace belongs to the lane, a proxy to the connection. */
  #applySettings(before: DeviceIntent): void {
    const { pacePerMinute, proxySealed } = this.#intent;
    if (!isSameProxy(before.proxySealed, proxySealed)) {
      this.#notBefore = 0;
      this.#linking.restart();
      if (this.#connection !== null) this.#background(this.#connection.reconnect(), 'old connection did not close');
    } else if (before.pacePerMinute !== pacePerMinute) this.#connection?.reopenLane();
  }

  #reconcile(): void {
    if (this.#over) return;
    const { linked, desiredState } = this.#intent;
    if (!linked) return this.#reconcileUnlinked();
    this.#linking.cancel();
    const connection = this.#connection;
    if (connection === null) return this.#startConnecting();
    if (desiredState === 'unlinked') return this.#background(connection.logOut(), 'logout failed');
    if (connection.isConnected && !connection.isLaneOpen)
      this.#background(connection.open(), 'connected device not opened');
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    return (await this.#connection?.typing(recipient, action)) ?? 'not-connected';
  }

  /** Takes up what a crash or a failed write left unanswered. */
  async settle(): Promise<void> {
    await this.#connection?.settle();
  }

  /** A lane that waits without consuming is opened anew. */
  async reopenLane(): Promise<void> {
    this.#log.warn('lane stood still, opening it again');
    this.#connection?.reopenLane();
  }

  /** Finishes the running turn and closes the connection. The lease can be released afterwards. */
  async handOver(): Promise<void> {
    this.#over = true;
    await this.#linking.end();
    await this.#connection?.handOver();
  }

  /** The lease is lost, or may be: closes and writes nothing more. */
  fence(): void {
    if (this.#over) return;
    this.#log.warn('lease lost, closing');
    this.close();
  }

  /** Closes the sockets now, whatever is in flight. */
  close(): void {
    this.#over = true;
    this.#linking.cancel();
    this.#connection?.close();
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

  async #linkEnded(end: LinkEnd): Promise<void> {
    if (end.kind === 'linked') {
      await writeLinked(this.#parts.database, this.holder, end.phoneNumber);
      this.#changeIntent({ linked: true, pairing: null });
    } else if (!this.#over && !this.#intent.linked) await this.#writeUnlinked('disconnected', `link_${end.kind}`);
    this.#reconcile();
  }

  #changeIntent(change: Partial<DeviceIntent>): void {
    this.#intent = { ...this.#intent, ...change };
    this.#intentChangedAt = performance.now();
  }

  #startConnecting(): void {
    if (this.#connecting || Date.now() < this.#notBefore) return;
    this.#connecting = true;
    this.#background(
      this.#connect().finally(() => {
        this.#connecting = false;
      }),
      'connecting failed',
    );
  }

  async #connect(): Promise<void> {
    const leaveGate = await this.#parts.gate.enter();
    try {
      if (await this.#mayConnect()) this.#connection = this.#openConnection(leaveGate);
    } finally {
      if (this.#connection === null) leaveGate();
    }
  }

  async #mayConnect(): Promise<boolean> {
    if (this.#over) return false;
    return (await writeDeviceState(this.#parts.database, this.holder, 'connecting', null)) && !this.#over;
  }

  #openConnection(leaveGate: () => void): DeviceConnection {
    if (this.#driver === null) throw new Error(`no driver for network ${this.#intent.network}`);
    const context = {
      holder: this.holder,
      driver: this.#driver,
      credentials: this.#credentials(),
      contacts: this.#contacts,
      pace: this.#pace,
      pacePerMinute: () => this.#intent.pacePerMinute,
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
    this.#delay.connected();
    this.#log.info('device connected');
    this.#reconcile();
  }

  async #ended(connection: DeviceConnection, end: SessionEnd): Promise<void> {
    this.#log.info({ reason: end.reason, next: end.next }, 'session ended');
    const instruction = instructionFor(end);
    if (instruction !== null) this.#log.error({ reason: end.reason, instruction }, 'device waits for a person');
    try {
      if (!this.#over) await this.#writeEnd(end);
      await connection.idle();
    } finally {
      // Not before: until the end is written and the last turn is over, nobody connects anew.
      this.#connection = null;
    }
    this.#reconcile();
  }

  async #writeEnd(end: SessionEnd): Promise<void> {
    if (end.next === 'relink') return this.#writeUnlinked('disconnected', end.reason);
    if (end.next === 'banned') return this.#writeUnlinked('banned', end.reason);
    if (end.next === 'check-lease') {
      const owner = await readLeaseOwner(this.#parts.database, this.holder.deviceId);
      if (owner !== this.holder.owner) return this.fence();
    }
    const waitMs = end.until === undefined ? 0 : end.until.getTime() - Date.now();
    // Closed by us, to connect in another way.
    const backoffMs = end.next === 'none' ? 0 : this.#delay.next();
    this.#notBefore = Date.now() + Math.max(waitMs, backoffMs);
    await writeDeviceState(this.#parts.database, this.holder, 'connecting', end.reason);
  }

  async #writeUnlinked(state: 'disconnected' | 'banned', reason: string): Promise<void> {
    if (!(await writeUnlinked(this.#parts.database, this.holder, state, reason))) return this.fence();
    this.#changeIntent({ linked: false, desiredState: 'unlinked', pairing: null });
    this.#log.info({ state, reason }, 'device unlinked');
    // To the last one: what were left would go out through the account that is linked next.
    while ((await failUnlinkedMessages(this.#parts.database)) > 0);
  }
}
