/**
 * Step 6, session: one held device from the lease to its release. `reconcile` compares what the customer wants
 * with what stands and starts what is missing: linking, connecting, logging out. It may be called at any time
 * and any number of times.
 *
 * All that is written carries the lease's epoch. When the lease is lost, the sockets are closed and nothing more
 * is written.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimOutcome,
  type ClaimRequest,
  type Contact,
  type Database,
  type DeviceIntent,
  failUnlinkedMessages,
  type GroupCommit,
  type Holder,
  isUnavailable,
  openDeviceProxy,
  type OutcomeWriter,
  readLeaseOwner,
  readSentText,
  type Sealer,
  writeDeviceState,
  writeLinked,
  writeUnlinked,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Driver, LinkEnd, Session, SessionEnd, SessionEvents } from '@kurir/network';
import { createLane, type Lane, type QueueConnection } from '@kurir/queue';
import type { ConnectGate } from './connect-gate.js';
import { createCredentialStore } from './credential-store.js';
import { createDeviceLane, type DeviceLane } from './device-lane.js';
import { DeviceLinking } from './device-linking.js';
import { instructionFor } from './instruct-operator.js';
import { type ContactNotes, createContactNotes, noContactNotes } from './note-contacts.js';
import { createPolitePace, type PolitePace } from './polite-pace.js';
import { throughProxy } from './proxied-driver.js';
import { createReconnectDelay } from './reconnect-delay.js';
import { createLimitsStore } from './store-limits.js';

export type HeldDeviceParts = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly queue: QueueConnection;
  readonly laneConnection: ReturnType<QueueConnection['patient']>;
  readonly drivers: ReadonlyMap<string, Driver>;
  readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome>;
  readonly outcomes: OutcomeWriter;
  readonly contacts: GroupCommit<Contact, void>;
  readonly gate: ConnectGate;
  /** From 0 to 1, for the jitter of paces. */
  readonly random?: () => number;
  readonly log: Logger;
  readonly onLaneOpened: (deviceId: Holder['deviceId']) => void;
  /** The lane has come far, or run empty. */
  readonly onLaneHungry: (deviceId: Holder['deviceId']) => void;
};

type Connection = {
  readonly session: Session;
  readonly leaveGate: () => void;
  connected: boolean;
  opening: boolean;
  deviceLane: DeviceLane | null;
  lane: Lane | null;
};

/** After the last turn BullMQ hands its job back. While Redis is away it cannot, and need not: the sweep brings jobs. */
const handBackMs = 1_000;
/** A report that Postgres could not take is written again after this. */
const reportAgainMs = 500;

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
  #connection: Connection | null = null;
  #connecting = false;
  #loggingOut = false;
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
    return this.#connection?.connected === true && this.#connection.lane !== null;
  }

  /** Milliseconds for which the open lane has taken no turn; 0 while one is running or no lane is open. */
  get laneIdleMs(): number {
    const { lane = null, deviceLane = null } = this.#connection ?? {};
    return lane === null || deviceLane?.isBusy() !== false ? 0 : lane.idleMs();
  }

  /** Starts whatever is missing between intent and state. `readAt`: by `performance.now()`, before the reading began. */
  reconcile(intent: DeviceIntent, readAt: number = performance.now()): void {
    // Read before our own change was committed, it would undo it: link again what is linked, connect what is not.
    if (readAt < this.#intentChangedAt) return;
    this.#intent = intent;
    this.#reconcile();
  }

  #reconcile(): void {
    if (this.#over) return;
    const { linked, desiredState } = this.#intent;
    if (!linked) return this.#reconcileUnlinked();
    this.#linking.cancel();
    const connection = this.#connection;
    if (connection === null) return this.#startConnecting();
    if (desiredState === 'unlinked') return this.#background(this.#logOut(connection), 'logout failed');
    if (connection.connected && connection.lane === null)
      this.#background(this.#open(connection), 'connected device not opened');
  }

  /** A turn or a settlement is running. */
  get isBusy(): boolean {
    return this.#connection?.deviceLane?.isBusy() === true;
  }

  /** The time between two turns that the device's pace asks for. */
  get turnIntervalMs(): number {
    return this.#intent.pacePerMinute === null ? 0 : 60_000 / this.#intent.pacePerMinute;
  }

  async typing(recipient: string, action: 'start' | 'stop'): Promise<'taken' | 'not-connected'> {
    if (this.#connection?.connected !== true) return 'not-connected';
    try {
      await this.#connection.session.typing(recipient, action);
      return 'taken';
    } catch (err) {
      this.#log.warn({ err }, 'typing not taken');
      return 'not-connected';
    }
  }

  /** Takes up what a crash or a failed write left unanswered. */
  async settle(): Promise<void> {
    await this.#connection?.deviceLane?.settle();
  }

  /** A lane that waits without consuming is opened anew. */
  async reopenLane(): Promise<void> {
    const connection = this.#connection;
    if (connection === null || connection.lane === null) return;
    this.#log.warn('lane stood still, opening it again');
    const stuck = connection.lane;
    connection.lane = null;
    // A stuck worker may never finish closing; the new one does not wait for it.
    stuck.close().catch((err: unknown) => this.#log.warn({ err }, 'stuck lane did not close'));
    this.#openLane(connection);
  }

  /** Finishes the running turn and closes the connection. The lease can be released afterwards. */
  async handOver(): Promise<void> {
    this.#over = true;
    await this.#linking.end();
    const connection = this.#connection;
    if (connection === null) return;
    await this.#endLane(connection);
    await connection.session.close();
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
    const connection = this.#connection;
    if (connection === null) return;
    connection.connected = false;
    this.#background(connection.session.close(), 'session did not close');
    this.#background(this.#closeLane(connection), 'lane did not close');
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
      if (await this.#mayConnect()) this.#connection = this.#openSession(leaveGate);
    } finally {
      if (this.#connection === null) leaveGate();
    }
  }

  async #mayConnect(): Promise<boolean> {
    if (this.#over) return false;
    return (await writeDeviceState(this.#parts.database, this.holder, 'connecting', null)) && !this.#over;
  }

  /** The handlers need the connection, which needs the session: a driver reports nothing before `connect` returned. */
  #openSession(leaveGate: () => void): Connection {
    const events: SessionEvents = {
      connected: () => this.#connected(connection),
      acknowledged: async ({ networkMessageId }) => {
        await this.#report(connection, networkMessageId, 'sent');
        await this.#contacts.took(networkMessageId);
      },
      receipt: ({ networkMessageId, status }) => this.#report(connection, networkMessageId, status),
      inbound: async ({ networkMessageId, from }) => {
        await this.#contacts.heard(from);
        this.#log.info({ networkMessageId }, 'message received');
      },
      limits: createLimitsStore(this.#parts.database, this.holder, this.#log, () => this.#over),
      ended: (end) => this.#background(this.#ended(connection, end), 'end of session not written'),
    };
    if (this.#driver === null) throw new Error(`no driver for network ${this.#intent.network}`);
    const session = this.#driver.connect({
      deviceId: this.holder.deviceId,
      epoch: this.holder.epoch,
      credentials: this.#credentials(),
      events,
      readMessage: (networkMessageId) => readSentText(this.#parts.database, this.holder.deviceId, networkMessageId),
    });
    const connection: Connection = {
      session,
      leaveGate,
      connected: false,
      opening: false,
      deviceLane: null,
      lane: null,
    };
    return connection;
  }

  /** Tried until Postgres takes it: an open connection is not told a second time, only the next one is. */
  async #report(
    connection: Connection,
    networkMessageId: string,
    status: 'sent' | 'delivered' | 'read',
  ): Promise<void> {
    for (;;) {
      try {
        await this.#parts.outcomes.reported({ deviceId: this.holder.deviceId, networkMessageId, status });
        return;
      } catch (err) {
        if (!connection.connected || !isUnavailable(err)) throw err;
        this.#log.warn({ err, networkMessageId }, 'report not written, will be tried again');
        await sleep(reportAgainMs);
      }
    }
  }

  #connected(connection: Connection): void {
    connection.connected = true;
    connection.leaveGate();
    this.#delay.connected();
    this.#log.info('device connected');
    this.#reconcile();
  }

  /** Shows the device as connected, settles what is unanswered, then opens the lane. Tried again by `reconcile`. */
  async #open(connection: Connection): Promise<void> {
    if (connection.opening) return;
    connection.opening = true;
    try {
      if (!(await writeDeviceState(this.#parts.database, this.holder, 'connected', null))) return this.fence();
      connection.deviceLane ??= this.#deviceLane(connection);
      await connection.deviceLane.settle();
      if (connection.connected && !this.#over && !this.#loggingOut) this.#openLane(connection);
    } finally {
      connection.opening = false;
    }
  }

  #deviceLane(connection: Connection): DeviceLane {
    return createDeviceLane({
      database: this.#parts.database,
      outcomes: this.#parts.outcomes,
      claimer: this.#parts.claimer,
      holder: this.holder,
      session: connection.session,
      isConnected: () => connection.connected && !this.#over,
      onLeaseLost: () => this.fence(),
      pace: this.#pace,
      contacts: this.#contacts,
      log: this.#log,
    });
  }

  #openLane(connection: Connection): void {
    const { deviceLane } = connection;
    if (deviceLane === null) return;
    const { deviceId } = this.holder;
    const hungry = () => this.#parts.onLaneHungry(deviceId);
    connection.lane = createLane(this.#parts.queue, this.#parts.laneConnection, {
      deviceId,
      pacePerMinute: this.#intent.pacePerMinute,
      take: async (job) => {
        const turn = await deviceLane.take(job);
        if (turn === 'not-now') this.#background(this.#closeLane(connection), 'lane did not close');
        return turn;
      },
      onDrained: hungry,
      onProgress: hungry,
      onForeignJob: () => this.#log.error('a job that Kurir did not sign was dropped'),
      onError: (err) => this.#log.warn({ err }, 'lane error'),
    });
    this.#parts.onLaneOpened(deviceId);
  }

  async #closeLane(connection: Connection): Promise<void> {
    const { lane } = connection;
    connection.lane = null;
    await lane?.close();
  }

  /** Closes the lane and waits for its last turn. */
  async #endLane(connection: Connection): Promise<void> {
    const closed = this.#closeLane(connection);
    await connection.deviceLane?.idle();
    await Promise.race([closed, sleep(handBackMs)]);
  }

  async #logOut(connection: Connection): Promise<void> {
    if (this.#loggingOut || !connection.connected) return;
    this.#loggingOut = true;
    try {
      await this.#endLane(connection);
      this.#log.info('logging out');
      // Answered by `ended` with `logged_out`, which writes the device unlinked.
      await connection.session.logout();
    } catch (err) {
      this.#log.warn({ err }, 'logout not confirmed, will be tried again');
    } finally {
      this.#loggingOut = false;
    }
  }

  async #ended(connection: Connection, end: SessionEnd): Promise<void> {
    connection.connected = false;
    connection.leaveGate();
    this.#log.info({ reason: end.reason, next: end.next }, 'session ended');
    const instruction = instructionFor(end);
    if (instruction !== null) this.#log.error({ reason: end.reason, instruction }, 'device waits for a person');
    this.#background(this.#closeLane(connection), 'lane did not close');
    try {
      if (!this.#over) await this.#writeEnd(end);
      await connection.deviceLane?.idle();
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
    this.#notBefore = Date.now() + Math.max(waitMs, this.#delay.next());
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
