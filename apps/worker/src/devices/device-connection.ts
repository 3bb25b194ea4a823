/**
 * Step 6, session: one connection of a held device, from its opening to its end: the session and the lane that
 * is open while it stands. It never connects anew: the next one is another connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountKeys,
  type ClaimOutcome,
  type ClaimRequest,
  type Database,
  type GroupCommit,
  type Holder,
  type OutcomeWriter,
  readSentMessage,
  writeDeviceState,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { CredentialStore, Driver, Session, SessionEnd, TypingAction } from '@kurir/network';
import { createLane, type Lane, type QueueConnection } from '@kurir/queue';
import { createDeviceLane, type DeviceLane } from '../messages/device-lane.js';
import { type ContactNotes, rememberWritten } from '../messages/note-contacts.js';
import { createSessionEvents } from './session-events.js';
import { SessionStateHolder } from './session-state.js';
import type { LastTry } from '../messages/try-message.js';
import type { TypingBeforeText } from '../messages/typing-before-text.js';

export type ConnectionParts = {
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly queue: QueueConnection;
  readonly laneConnection: ReturnType<QueueConnection['patient']>;
  readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome>;
  readonly outcomes: OutcomeWriter;
  /** Has tickets made for what is due. */
  readonly fillLane: (deviceId: Holder['deviceId']) => void;
};

/** The held device, as its connection sees it. */
export type ConnectionContext = {
  readonly holder: Holder;
  readonly driver: Driver;
  readonly credentials: CredentialStore;
  readonly contacts: ContactNotes;
  readonly typing: TypingBeforeText;
  readonly lastTry: LastTry;
  /** Handed over, or the lease is lost: nothing begins any more. */
  readonly isOver: () => boolean;
  readonly connected: () => void;
  readonly ended: (connection: DeviceConnection, end: SessionEnd) => void;
  readonly leaseLost: () => void;
  readonly log: Logger;
};

/** After the last turn BullMQ hands its ticket back. While Redis is away it cannot, and need not: the sweep brings tickets. */
const ticketBackMs = 1_000;

export class DeviceConnection {
  readonly #parts: ConnectionParts;
  readonly #context: ConnectionContext;
  readonly #leaveGate: () => void;
  readonly #session: Session;
  readonly #contacts: ContactNotes;
  readonly #state = new SessionStateHolder();
  #deviceLane: DeviceLane | null = null;
  #lane: Lane | null = null;

  /** `leaveGate`: called once the connection stands or is over. */
  constructor(parts: ConnectionParts, context: ConnectionContext, leaveGate: () => void) {
    this.#parts = parts;
    this.#context = context;
    this.#leaveGate = leaveGate;
    const { driver, holder, credentials } = context;
    this.#contacts = rememberWritten(context.contacts);
    this.#session = driver.connect({
      deviceId: holder.deviceId,
      epoch: holder.epoch,
      credentials,
      events: createSessionEvents({
        database: parts.database,
        outcomes: parts.outcomes,
        holder,
        contacts: this.#contacts,
        isConnected: () => this.#state.isConnected,
        isOver: context.isOver,
        pause: sleep,
        log: context.log,
        connected: () => this.#onConnected(),
        ended: (end) => this.#onEnded(end),
      }),
      readMessage: (networkMessageId) =>
        readSentMessage(parts.database, parts.accountKeys, holder.deviceId, networkMessageId),
    });
  }

  /** The network has accepted the login, and the connection has not ended. */
  get isConnected(): boolean {
    return this.#state.isConnected;
  }

  get isLaneOpen(): boolean {
    return this.#lane !== null;
  }

  /** A turn is running. */
  get isBusy(): boolean {
    return this.#deviceLane?.isBusy() === true;
  }

  /** Milliseconds for which BullMQ has given the open lane no turn; 0 while one runs or waits to, or no lane is open. */
  get laneIdleMs(): number {
    return this.#lane?.idleMs() ?? 0;
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    if (!this.#state.isConnected) return 'not-connected';
    try {
      await this.#session.typing(recipient, action);
      return 'taken';
    } catch (err) {
      this.#context.log.warn({ err }, 'typing not taken');
      return 'not-connected';
    }
  }

  /** Shows the device as connected, recovers what is unanswered, then opens the lane. May be tried again. */
  async open(): Promise<void> {
    if (!this.#state.moveFrom('connected', 'opening')) return;
    try {
      const { holder, isOver, leaseLost } = this.#context;
      if (!(await writeDeviceState(this.#parts.database, holder, 'connected', null))) return leaseLost();
      this.#deviceLane ??= this.#createDeviceLane();
      const mayOpen = () => this.#state.now === 'opening' && !isOver();
      await this.#deviceLane.recover(mayOpen);
      if (mayOpen()) this.#openLane(this.#deviceLane);
    } finally {
      this.#state.moveFrom('opening', 'connected');
    }
  }

  /** Takes up what stands unanswered, perhaps with no ticket. */
  async recover(): Promise<void> {
    const lane = this.#lane;
    if (lane !== null) await this.#deviceLane?.recover(() => this.#lane === lane);
  }

  /** The device has another pace, which counts from now on. */
  paceChanged(): void {
    if (this.#lane === null || this.#deviceLane === null) return;
    this.#background(this.#deviceLane.paceChanged(), 'changed pace counts after one more message');
  }

  /** Opens the lane anew, because it waits without consuming. A running turn finishes its message. */
  reopenLane(): void {
    const { log } = this.#context;
    if (this.#lane === null || this.#deviceLane === null) return;
    // A stuck worker may never finish closing; the new one does not wait for it.
    this.#closeLane().catch((err: unknown) => log.warn({ err }, 'old lane did not close'));
    this.#openLane(this.#deviceLane);
  }

  /** Answered by `ended` with `logged_out`. Never rejects: what is not confirmed is tried again. */
  async logOut(): Promise<void> {
    if (!this.#state.move('logging-out')) return;
    const { log } = this.#context;
    try {
      await this.#endLane();
      log.info('logging out');
      await this.#session.logout();
    } catch (err) {
      log.warn({ err }, 'logout not confirmed, will be tried again');
    } finally {
      this.#state.moveFrom('logging-out', 'connected');
    }
  }

  /** Finishes the running turn with its present message, then closes. */
  async handOver(): Promise<void> {
    this.#state.move('closing');
    await this.#endLane();
    await this.#session.close();
  }

  /** As `handOver`, once; whoever holds the device connects it anew when this one has ended. */
  async reconnect(): Promise<void> {
    if (this.#state.now !== 'closing') await this.handOver();
  }

  /** Closes the socket now, whatever is in flight. */
  close(): void {
    this.#state.move('over');
    this.#background(this.#session.close(), 'session did not close');
    this.#background(this.#closeLane(), 'lane did not close');
  }

  /** Resolves when what runs now is over; never rejects. */
  async idle(): Promise<void> {
    await this.#deviceLane?.idle();
  }

  #background(work: Promise<unknown>, trouble: string): void {
    work.catch((err: unknown) => this.#context.log.warn({ err }, trouble));
  }

  #onConnected(): void {
    this.#leaveGate();
    if (this.#state.move('connected')) this.#context.connected();
  }

  #onEnded(end: SessionEnd): void {
    this.#state.move('over');
    this.#leaveGate();
    this.#background(this.#closeLane(), 'lane did not close');
    this.#context.ended(this, end);
  }

  #createDeviceLane(): DeviceLane {
    const { holder, lastTry, typing, log, isOver, leaseLost } = this.#context;
    const { database, outcomes, claimer, fillLane } = this.#parts;
    return createDeviceLane({
      database,
      outcomes,
      claimer,
      holder,
      lastTry,
      session: this.#session,
      isConnected: () => this.#state.isConnected && !isOver(),
      onLeaseLost: leaseLost,
      onPaceOpen: () => fillLane(holder.deviceId),
      typing,
      contacts: this.#contacts,
      now: () => performance.now(),
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      pause: sleep,
      log,
    });
  }

  #openLane(deviceLane: DeviceLane): void {
    const { holder, log } = this.#context;
    const { deviceId } = holder;
    const isWanted = () => this.#lane === lane;
    const lane = createLane(this.#parts.queue, this.#parts.laneConnection, {
      deviceId,
      take: async (ticket) => {
        const ended = await deviceLane.take(ticket, isWanted);
        if (ended === 'not-now') this.#background(this.#closeLane(), 'lane did not close');
        return ended;
      },
      onForeignTicket: () => log.error('a ticket that Kurir did not sign was dropped'),
      onError: (err) => log.warn({ err }, 'lane error'),
    });
    this.#lane = lane;
    this.#state.move('open');
    this.#parts.fillLane(deviceId);
  }

  async #closeLane(): Promise<void> {
    const lane = this.#lane;
    this.#lane = null;
    this.#state.moveFrom('open', 'connected');
    this.#deviceLane?.close();
    await lane?.close();
  }

  /** Closes the lane and waits for its last turn. */
  async #endLane(): Promise<void> {
    const closed = this.#closeLane();
    await this.#deviceLane?.idle();
    await Promise.race([closed, sleep(ticketBackMs)]);
  }
}
