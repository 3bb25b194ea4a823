/**
 * Step 6, session: one connection of a held device, from its opening to its end: the session and the lane that
 * is open while it stands. It never connects anew: the next one is another connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimOutcome,
  type ClaimRequest,
  type Database,
  type GroupCommit,
  type Holder,
  type OutcomeWriter,
  priorityRanks,
  readSentText,
  writeDeviceState,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { CredentialStore, Driver, Session, SessionEnd, TypingAction } from '@kurir/network';
import { createLane, type Lane, type OtpBell, type QueueConnection, type Turn } from '@kurir/queue';
import { createDeviceLane, type DeviceLane } from './device-lane.js';
import { type ContactNotes, rememberWritten } from './note-contacts.js';
import type { PolitePace } from './polite-pace.js';
import { createOtpListening, type OtpListening } from './otp-listening.js';
import type { OtpsFirst } from './otps-first.js';
import { createSessionEvents } from './session-events.js';

export type ConnectionParts = {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly laneConnection: ReturnType<QueueConnection['patient']>;
  readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome>;
  readonly outcomes: OutcomeWriter;
  readonly otpsFirst: OtpsFirst;
  readonly otpBell: OtpBell;
  /** Has jobs made for what is due, when it is not known who made some. */
  readonly fillLane: (deviceId: Holder['deviceId']) => void;
  /** The lane has come far, or run empty. */
  readonly onLaneHungry: (deviceId: Holder['deviceId']) => void;
};

/** The held device, as its connection sees it. */
export type ConnectionContext = {
  readonly holder: Holder;
  readonly driver: Driver;
  readonly credentials: CredentialStore;
  readonly contacts: ContactNotes;
  readonly pace: PolitePace;
  readonly pacePerMinute: () => number | null;
  /** Handed over, or the lease is lost: nothing begins any more. */
  readonly isOver: () => boolean;
  readonly connected: () => void;
  readonly ended: (connection: DeviceConnection, end: SessionEnd) => void;
  readonly leaseLost: () => void;
  readonly log: Logger;
};

/** After the last turn BullMQ hands its job back. While Redis is away it cannot, and need not: the sweep brings jobs. */
const jobBackMs = 1_000;

export class DeviceConnection {
  readonly #parts: ConnectionParts;
  readonly #context: ConnectionContext;
  readonly #leaveGate: () => void;
  readonly #session: Session;
  readonly #contacts: ContactNotes;
  #connected = false;
  #opening = false;
  #loggingOut = false;
  #reconnecting = false;
  #deviceLane: DeviceLane | null = null;
  #lane: Lane | null = null;
  #listening: OtpListening | null = null;

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
        isConnected: () => this.#connected,
        isOver: context.isOver,
        log: context.log,
        connected: () => this.#onConnected(),
        ended: (end) => this.#onEnded(end),
      }),
      readMessage: (networkMessageId) => readSentText(parts.database, holder.deviceId, networkMessageId),
    });
  }

  /** The network has accepted the login, and the connection has not ended. */
  get isConnected(): boolean {
    return this.#connected;
  }

  get isLaneOpen(): boolean {
    return this.#lane !== null;
  }

  /** A turn or a settlement is running. */
  get isBusy(): boolean {
    return this.#deviceLane?.isBusy() === true;
  }

  /** Milliseconds for which BullMQ has given the open lane no turn; 0 while one runs or waits to, or no lane is open. */
  get laneIdleMs(): number {
    return this.#lane?.idleMs() ?? 0;
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    if (!this.#connected) return 'not-connected';
    try {
      await this.#session.typing(recipient, action);
      return 'taken';
    } catch (err) {
      this.#context.log.warn({ err }, 'typing not taken');
      return 'not-connected';
    }
  }

  /** Shows the device as connected, settles what is unanswered, then opens the lane. May be tried again. */
  async open(): Promise<void> {
    if (this.#opening || this.#reconnecting || this.#lane !== null) return;
    this.#opening = true;
    try {
      const { holder, isOver, leaseLost } = this.#context;
      if (!(await writeDeviceState(this.#parts.database, holder, 'connected', null))) return leaseLost();
      this.#deviceLane ??= this.#createDeviceLane();
      await this.#deviceLane.settle();
      if (this.#connected && !isOver() && !this.#loggingOut && !this.#reconnecting) this.#openLane(this.#deviceLane);
    } finally {
      this.#opening = false;
    }
  }

  async settle(): Promise<void> {
    await this.#deviceLane?.settle();
  }

  /** Opens the lane anew, because it waits without consuming or has another pace. A running turn finishes its message. */
  reopenLane(): void {
    const { log } = this.#context;
    if (this.#lane === null || this.#deviceLane === null) return;
    // A stuck worker may never finish closing; the new one does not wait for it.
    this.#closeLane().catch((err: unknown) => log.warn({ err }, 'old lane did not close'));
    this.#openLane(this.#deviceLane);
  }

  /** Answered by `ended` with `logged_out`. Never rejects: what is not confirmed is tried again. */
  async logOut(): Promise<void> {
    if (this.#loggingOut || !this.#connected) return;
    const { log } = this.#context;
    this.#loggingOut = true;
    try {
      await this.#endLane();
      log.info('logging out');
      await this.#session.logout();
    } catch (err) {
      log.warn({ err }, 'logout not confirmed, will be tried again');
    } finally {
      this.#loggingOut = false;
    }
  }

  /** Finishes the running turn with its present message, then closes. */
  async handOver(): Promise<void> {
    await this.#endLane();
    await this.#session.close();
  }

  /** As `handOver`, once; whoever holds the device connects it anew when this one has ended. */
  async reconnect(): Promise<void> {
    if (this.#reconnecting) return;
    this.#reconnecting = true;
    await this.handOver();
  }

  /** Closes the socket now, whatever is in flight. */
  close(): void {
    this.#connected = false;
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
    this.#connected = true;
    this.#leaveGate();
    this.#context.connected();
  }

  #onEnded(end: SessionEnd): void {
    this.#connected = false;
    this.#leaveGate();
    this.#background(this.#closeLane(), 'lane did not close');
    this.#context.ended(this, end);
  }

  #createDeviceLane(): DeviceLane {
    const { holder, pace, log, isOver, leaseLost } = this.#context;
    const { database, outcomes, claimer, otpsFirst } = this.#parts;
    return createDeviceLane({
      database,
      outcomes,
      claimer,
      holder,
      session: this.#session,
      isConnected: () => this.#connected && !isOver(),
      onLeaseLost: leaseLost,
      isPaced: () => this.#isPaced(),
      otpsFirst: otpsFirst.ofDevice(),
      listenForOtps: () => this.#listening?.duringOthers(),
      pace,
      contacts: this.#contacts,
      now: () => performance.now(),
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      log,
    });
  }

  /** The device keeps a pace or a jitter: its lane takes a turn for each message, and from jobs alone. */
  #isPaced(): boolean {
    return this.#context.pacePerMinute() !== null || this.#context.pace.hasJitter();
  }

  #openLane(deviceLane: DeviceLane): void {
    const { holder, log, pacePerMinute } = this.#context;
    const { deviceId } = holder;
    const hungry = () => this.#parts.onLaneHungry(deviceId);
    const isWanted = () => this.#lane === lane;
    const afterTurn = (turn: Turn): Turn => {
      if (turn === 'not-now') this.#background(this.#closeLane(), 'lane did not close');
      return turn;
    };
    const listening = createOtpListening({
      listen: (onRing) => this.#parts.otpBell.listen(deviceId, onRing),
      takeTurn: async () => afterTurn(await deviceLane.ring(isWanted)),
      fill: () => this.#parts.fillLane(deviceId),
      goesOn: () => isWanted() && !this.#isPaced(),
      now: () => performance.now(),
    });
    const laneOfJobs = createLane(this.#parts.queue, this.#parts.laneConnection, {
      deviceId,
      pacePerMinute: pacePerMinute(),
      take: async (job) => {
        const take = () => deviceLane.take(job, isWanted);
        return afterTurn(
          await (job.priority === priorityRanks.otp ? listening.duringJob(job.messageId, take) : take()),
        );
      },
      onDrained: hungry,
      onProgress: hungry,
      onForeignJob: () => log.error('a job that Kurir did not sign was dropped'),
      onError: (err) => log.warn({ err }, 'lane error'),
    });
    const lane: Lane = {
      ...laneOfJobs,
      close() {
        listening.end();
        return laneOfJobs.close();
      },
    };
    this.#lane = lane;
    this.#listening = listening;
    this.#parts.fillLane(deviceId);
  }

  async #closeLane(): Promise<void> {
    const lane = this.#lane;
    this.#lane = null;
    await lane?.close();
  }

  /** Closes the lane and waits for its last turn. */
  async #endLane(): Promise<void> {
    const closed = this.#closeLane();
    await this.#deviceLane?.idle();
    await Promise.race([closed, sleep(jobBackMs)]);
  }
}
