/**
 * Step 6, session: one connection of a device, from its opening to its end. It holds the driver's session and the lane,
 * which is open while the session stands. It never connects again: the next connection is another object.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readSentMessage, writeDeviceState } from '@kurir/database';
import type { Session, SessionEnd, TypingAction } from '@kurir/network';
import { createLane, type Lane, type Ticket, type TurnEnd } from '@kurir/queue';
import { createReadMarks } from '../conversations/read-marks.js';
import type { DeviceLease } from '../leases/device-lease.js';
import { systemClock } from '../messages/clock.js';
import type { ConnectedDevice } from '../messages/connected-device.js';
import { rememberRecipients } from '../messages/contact-notes.js';
import { DeviceLane } from '../messages/device-lane.js';
import type { DeviceNetwork } from './device-network.js';
import type { DeviceResources } from './device-resources.js';
import { createSessionEvents } from './session-events.js';
import { SessionStateMachine } from './session-state.js';

export type DeviceConnectionOptions = {
  readonly resources: DeviceResources;
  readonly lease: DeviceLease;
  readonly network: DeviceNetwork;
  /** Called once the session is connected or has ended. */
  readonly leaveGate: () => void;
  readonly onConnected: () => void;
  readonly onEnded: (end: SessionEnd) => void;
};

/** How long BullMQ gets to return the last ticket to the queue. If Redis is unavailable it cannot; the sweep makes tickets then. */
const ticketReturnMs = 1_000;

export class DeviceConnection {
  readonly #options: DeviceConnectionOptions;
  readonly #lease: DeviceLease;
  readonly #state = new SessionStateMachine();
  readonly #session: Session;
  readonly #deviceLane: DeviceLane;
  /** Tells the network which messages were read. */
  readonly tellRead: () => Promise<void>;
  #lane: Lane | null = null;

  constructor(options: DeviceConnectionOptions) {
    this.#options = options;
    this.#lease = options.lease;
    const device = this.#connectedDevice();
    this.#session = this.#connect(device);
    this.#deviceLane = new DeviceLane(device, this.#session);
    this.tellRead = createReadMarks(device, this.#session);
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
    return this.#deviceLane.isBusy;
  }

  /** Milliseconds for which BullMQ has given the open lane no turn; 0 while a turn runs or waits, or no lane is open. */
  get laneIdleMs(): number {
    return this.#lane?.idleMs() ?? 0;
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    if (!this.#state.isConnected) return 'not-connected';
    try {
      await this.#session.typing(recipient, action);
      return 'taken';
    } catch (err) {
      this.#lease.log.warn({ err }, 'typing not taken');
      return 'not-connected';
    }
  }

  /** Shows the device as connected, recovers unanswered messages, then opens the lane. May be called again. */
  async open(): Promise<void> {
    if (!this.#state.moveFrom('connected', 'opening')) return;
    const { database, token } = this.#lease;
    try {
      if (!(await writeDeviceState(database, token, 'connected', null))) return this.#lease.lost();
      const mayOpen = () => this.#state.now === 'opening' && !this.#lease.isEnding;
      await this.#deviceLane.recover(mayOpen);
      if (mayOpen()) this.#openLane();
    } finally {
      this.#state.moveFrom('opening', 'connected');
    }
  }

  /** Sends messages that stand unanswered. They may have no ticket. */
  async recover(): Promise<void> {
    const lane = this.#lane;
    if (lane !== null) await this.#deviceLane.recover(() => this.#lane === lane);
  }

  /** The device has another pace, which counts from now on. */
  paceChanged(): void {
    if (this.#lane === null) return;
    this.#background(this.#deviceLane.paceChanged(), 'changed pace counts after one more message');
  }

  /** Opens a new lane, because the old one waits without consuming. A running turn finishes its message. */
  reopenLane(): void {
    if (this.#lane === null) return;
    // A stuck lane may never finish closing; the new one does not wait for it.
    this.#background(this.#closeLane(), 'old lane did not close');
    this.#openLane();
  }

  /** The session then ends with `logged_out`. Never rejects: a logout that is not confirmed is tried again. */
  async logOut(): Promise<void> {
    if (!this.#state.move('logging-out')) return;
    const { log } = this.#lease;
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

  /** Finishes the present message of the running turn, then closes. */
  async handOver(): Promise<void> {
    this.#state.move('closing');
    await this.#endLane();
    await this.#session.close();
  }

  /** As `handOver`, but only once. `DeviceRuntime` opens another connection when this one has ended. */
  async reconnect(): Promise<void> {
    if (this.#state.now !== 'closing') await this.handOver();
  }

  /** Closes the socket now, even if messages are in flight. */
  close(): void {
    this.#state.move('over');
    this.#background(this.#session.close(), 'session did not close');
    this.#background(this.#closeLane(), 'lane did not close');
  }

  /** Resolves when the present turn is over; never rejects. */
  async idle(): Promise<void> {
    await this.#deviceLane.idle();
  }

  #background(work: Promise<unknown>, trouble: string): void {
    work.catch((err: unknown) => this.#lease.log.warn({ err }, trouble));
  }

  #connectedDevice(): ConnectedDevice {
    const { resources, lease, network } = this.#options;
    return {
      lease,
      claimer: resources.claimer,
      outcomes: resources.outcomes,
      contacts: rememberRecipients(network.contacts),
      typing: network.typing,
      clock: systemClock,
      isConnected: () => this.#state.isConnected,
      requestTickets: () => resources.fillLane(lease.deviceId),
    };
  }

  #connect(device: ConnectedDevice): Session {
    const { network, lease, resources } = this.#options;
    const { deviceId, epoch } = lease.token;
    return network.driver.connect({
      deviceId,
      epoch,
      credentials: network.credentials,
      reportsGroups: () => network.inbound.takesGroups(),
      events: createSessionEvents(device, network.inbound, {
        connected: () => this.#onConnected(),
        ended: (end) => this.#onEnded(end),
      }),
      readMessage: (networkMessageId) =>
        readSentMessage(resources.database, resources.accountKeys, deviceId, networkMessageId),
    });
  }

  #onConnected(): void {
    const { leaveGate, onConnected } = this.#options;
    leaveGate();
    if (this.#state.moveFrom('connecting', 'connected')) onConnected();
  }

  #onEnded(end: SessionEnd): void {
    const { leaveGate, onEnded } = this.#options;
    this.#state.move('over');
    leaveGate();
    this.#background(this.#closeLane(), 'lane did not close');
    onEnded(end);
  }

  #openLane(): void {
    const { queue, laneConnection, fillLane } = this.#options.resources;
    const { deviceId, log } = this.#lease;
    const isWanted = () => this.#lane === lane;
    const lane = createLane(queue, laneConnection, {
      deviceId,
      take: (ticket) => this.#takeTurn(ticket, isWanted),
      onForeignTicket: () => log.error('a ticket that Kurir did not sign was dropped'),
      onError: (err) => log.warn({ err }, 'lane error'),
    });
    this.#lane = lane;
    this.#state.move('open');
    fillLane(deviceId);
  }

  async #takeTurn(ticket: Ticket, isWanted: () => boolean): Promise<TurnEnd> {
    const end = await this.#deviceLane.take(ticket, isWanted);
    if (end === 'not-now') this.#background(this.#closeLane(), 'lane did not close');
    return end;
  }

  async #closeLane(): Promise<void> {
    const lane = this.#lane;
    this.#lane = null;
    this.#state.moveFrom('open', 'connected');
    this.#deviceLane.close();
    await lane?.close();
  }

  /** Closes the lane and waits for its last turn. */
  async #endLane(): Promise<void> {
    const closed = this.#closeLane();
    await this.#deviceLane.idle();
    await Promise.race([closed, sleep(ticketReturnMs)]);
  }
}
