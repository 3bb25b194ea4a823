/**
 * Step 6, session: one device from its lease to its release. `reconcile` compares the customer's intent with the state and
 * starts the missing step: linking, connecting or logging out. It may be called at any time and any number of times.
 *
 * Every write carries the lease token. When the lease is lost, the sockets are closed and nothing more is written.
 */
import type { DeviceIntent, LeaseToken } from '@kurir/database';
import type { SessionEnd, TypingAction } from '@kurir/network';
import { DeviceLease } from '../leases/device-lease.js';
import { isSameProxy } from '../networks/proxied-driver.js';
import { ConnectTimes } from './connecting/connect-times.js';
import { DeviceConnector } from './connecting/device-connector.js';
import { DeviceConnection } from './device-connection.js';
import { DeviceLinking } from './device-linking.js';
import { type DeviceNetwork, openDeviceNetwork } from './device-network.js';
import type { DeviceResources } from './device-resources.js';
import { forgetSessions } from './forget-sessions.js';
import { KnownIntent } from './known-intent.js';
import { logSessionEnd } from './log-session-end.js';
import { StoredLink } from './stored-link.js';
import { writeSessionEnd } from './write-session-end.js';

export class DeviceRuntime {
  readonly lease: DeviceLease;
  readonly #resources: DeviceResources;
  readonly #intent: KnownIntent;
  readonly #network: DeviceNetwork;
  readonly #times: ConnectTimes;
  readonly #link: StoredLink;
  readonly #linking: DeviceLinking;
  readonly #connector: DeviceConnector;
  #connection: DeviceConnection | null = null;
  /** `close` has been called. */
  #isClosed = false;

  constructor(token: LeaseToken, intent: DeviceIntent, resources: DeviceResources) {
    const log = resources.log.child({ deviceId: token.deviceId, epoch: String(token.epoch) });
    this.lease = new DeviceLease({ token, database: resources.database, log, onLost: () => this.fence() });
    this.#resources = resources;
    this.#intent = new KnownIntent(intent);
    this.#network = openDeviceNetwork(resources, this.lease, this.#intent);
    this.#times = new ConnectTimes(intent.toldToWaitUntil, resources.reconnectDelay?.());
    this.#link = new StoredLink(this.lease, this.#intent);
    this.#linking = new DeviceLinking(this.lease, this.#network, {
      linked: (phoneNumber) => this.#onLinked(phoneNumber),
      notLinked: () => this.#link.unlinkedAlready(),
      clientRefused: () => resources.clientRefused?.(null),
    });
    this.#connector = new DeviceConnector({
      lease: this.lease,
      gate: resources.gate,
      times: this.#times,
      prepare: () => this.#forgetSessions(),
      open: (leaveGate) => this.#openConnection(leaveGate),
      due: () => this.#reconcile(),
    });
  }

  /** The customer wants nothing more of this device: its lease can be released. */
  get isIdle(): boolean {
    return (
      this.#intent.now.desiredState === 'unlinked' &&
      !this.#intent.now.linked &&
      !this.#linking.isUnderWay &&
      this.#connection === null
    );
  }

  /** An operator has suspended its account: its lease is to be released. */
  get isSuspended(): boolean {
    return this.#intent.now.suspended;
  }

  get isSending(): boolean {
    return this.#connection?.isConnected === true && this.#connection.isLaneOpen;
  }

  /** A turn is running. */
  get isBusy(): boolean {
    return this.#connection?.isBusy === true;
  }

  /** Milliseconds for which BullMQ has given the open lane no turn; 0 while a turn runs or waits, or no lane is open. */
  get laneIdleMs(): number {
    return this.#connection?.laneIdleMs ?? 0;
  }

  /**
   * Starts the step that is missing between intent and state. `readAt` is the `performance.now()` before the reading began.
   * `mayReconnect` is asked before a session is closed so that its device forgets others. If it returns false, a later call
   * closes the session.
   */
  reconcile(intent: DeviceIntent, readAt: number = performance.now(), mayReconnect: () => boolean = () => true): void {
    const before = this.#intent.take(intent, readAt);
    if (before === null) return;
    if (!this.lease.isEnding) this.#applySettings(before);
    this.#reconcile(mayReconnect);
  }

  /** Applies a changed pace and proxy. The typing time is read for each text. */
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
    if (this.lease.isEnding) return;
    if (!this.#intent.now.linked) return this.#reconcileUnlinked();
    this.#linking.cancel();
    if (this.#connection === null) this.#reconcileUnconnected();
    else this.#reconcileConnection(this.#connection, mayReconnect);
  }

  #reconcileUnlinked(): void {
    const { desiredState, pairing } = this.#intent.now;
    if (desiredState === 'unlinked') return this.#linking.cancel();
    if (this.#connection === null && pairing !== null) this.#linking.request(pairing);
  }

  #reconcileUnconnected(): void {
    const { desiredState, contested } = this.#intent.now;
    if (desiredState === 'unlinked' && this.#times.cannotLogOut) return this.#endLink();
    // A contested device still connects for a logout: a person asked for it, and it ends the contest.
    if (contested && desiredState === 'linked') return;
    this.#connector.connectWhenDue();
  }

  #reconcileConnection(connection: DeviceConnection, mayReconnect: () => boolean): void {
    if (this.#intent.now.desiredState === 'unlinked') return this.#background(connection.logOut(), 'logout failed');
    if (connection.isConnected && this.#intent.isToForget && mayReconnect())
      return this.#background(connection.reconnect(), 'old connection did not close');
    if (connection.isConnected && !connection.isLaneOpen)
      this.#background(connection.open(), 'connected device not opened');
  }

  async typing(recipient: string, action: TypingAction): Promise<'taken' | 'not-connected'> {
    return (await this.#connection?.typing(recipient, action)) ?? 'not-connected';
  }

  /** Tells the network which messages were read. Never rejects. */
  async tellRead(): Promise<void> {
    await this.#connection?.tellRead();
  }

  /** The worker has a newer client version. A device that the network refused with an older one connects now. */
  clientChanged(): void {
    if (this.#times.clientChanged()) this.#reconcile();
  }

  /** Sends messages that a crash or a failed write left unanswered. */
  async recover(): Promise<void> {
    await this.#connection?.recover();
  }

  /** Opens the lane again, because it waits without consuming. */
  async reopenLane(): Promise<void> {
    this.lease.log.warn('lane stood still, opening it again');
    this.#connection?.reopenLane();
  }

  /** Finishes the running turn and closes the connection. The lease can be released afterwards. */
  async handOver(): Promise<void> {
    this.#end();
    await this.#linking.end();
    await this.#connection?.handOver();
  }

  /** The lease is lost, or may be: closes the sockets and writes nothing more. */
  fence(): void {
    if (this.#isClosed) return;
    this.lease.log.warn('lease lost, closing');
    this.close();
  }

  /** Closes the sockets now, even if messages are in flight. */
  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#linking.cancel();
    this.#connection?.close();
  }

  #end(): void {
    this.lease.end();
    this.#connector.stop();
  }

  #background(work: Promise<unknown>, trouble: string): void {
    work.catch((err: unknown) => this.lease.log.warn({ err }, trouble));
  }

  async #onLinked(phoneNumber: string): Promise<void> {
    if (!(await this.#link.linked(phoneNumber))) return;
    this.#times.linked();
    this.#reconcile();
  }

  async #forgetSessions(): Promise<void> {
    const askedAt = this.#intent.beginForgetting();
    if (askedAt === null) return;
    const end = await forgetSessions(this.lease, this.#network, askedAt);
    if (end === 'lease-lost') return this.lease.lost();
    if (end === 'forgotten') this.#intent.change({ forgetSessionsAt: null });
  }

  /** Ends the link here only, because the network cannot be reached. The phone's owner has to end it on the phone. */
  #endLink(): void {
    this.#background(this.#link.unlinked('disconnected', { reason: 'not_logged_out' }), 'end of a link not written');
  }

  #openConnection(leaveGate: () => void): void {
    const connection = new DeviceConnection({
      resources: this.#resources,
      lease: this.lease,
      network: this.#network,
      leaveGate,
      onConnected: () => this.#onConnected(),
      onEnded: (end) => this.#background(this.#onEnded(connection, end), 'end of session not written'),
    });
    this.#connection = connection;
  }

  #onConnected(): void {
    this.#times.connected();
    this.lease.log.info('device connected');
    this.#reconcile();
  }

  async #onEnded(connection: DeviceConnection, end: SessionEnd): Promise<void> {
    const { lease } = this;
    logSessionEnd(lease.log, end);
    try {
      // Before a link ends: an unwritten message goes back to the queue and then fails. As `sending` it would become `unknown`.
      if (end.next === 'relink' || end.next === 'banned') await connection.idle();
      if (!lease.isEnding)
        await writeSessionEnd({ lease, intent: this.#intent, link: this.#link, times: this.#times }, end);
      await connection.idle();
    } finally {
      // Only now: the device connects again after the end is stored and the last turn is over.
      this.#connection = null;
    }
    // Only now: if a newer client version is known already, this call leads to a new connection.
    if (end.reason === 'client_outdated') this.#resources.clientRefused?.(end.detail ?? null);
    this.#reconcile();
  }
}
