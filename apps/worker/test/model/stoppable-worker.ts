/**
 * A worker around the product's own lane: takes the device, connects, recovers and sends. It stands still between any two
 * steps until it is told to go on. All its writes use the product's statements.
 */
import { newId } from '@kurir/contracts';
import {
  type AccountKeys,
  createClaimer,
  createContactWriter,
  createOutcomeWriter,
  type Database,
  failMessagesOfUnlinked,
  isUnavailable,
  releaseLeases,
  renewLeases,
  takeLeases,
  writeDeviceState,
  writeUnlinked,
} from '@kurir/database';
import { createLogger } from '@kurir/logging';
import type { OutgoingMessage, SendOutcome, Session } from '@kurir/network';
import type { Ticket, TurnEnd } from '@kurir/queue';
import { DeviceLease } from '../../src/leases/device-lease.js';
import { createContactNotes, noContactNotes, rememberRecipients } from '../../src/messages/contact-notes.js';
import { DeviceLane } from '../../src/messages/device-lane.js';
import type { Expected } from './expected.js';
import type { Fate, Login, Network } from './network.js';
import { nothingWritten, outcomeOf } from './send-outcomes.js';
import { SteppedWork } from './stepped-work.js';
import type { Wiretap } from './wiretap.js';
import { WorkerClock } from './worker-clock.js';

type Connection = { readonly login: Login; readonly lane: DeviceLane; connected: boolean; open: boolean };

export class StoppableWorker {
  readonly owner: string = newId('wrk');
  readonly #database: Database;
  /** For the worker's timers and the events of its network, which do not wait for a turn. */
  readonly #unstopped: Database;
  readonly #accountKeys: AccountKeys;
  readonly #expected: Expected;
  readonly #network: Network;
  readonly #work: SteppedWork;
  readonly #clock: WorkerClock;
  /** The end of the last turn. */
  lastTurn: TurnEnd = 'done';
  #lease: DeviceLease | null = null;
  #connection: Connection | null = null;
  #fates: Fate[] = [];

  constructor(wiretap: Wiretap, accountKeys: AccountKeys, expected: Expected, network: Network) {
    this.#accountKeys = accountKeys;
    this.#expected = expected;
    this.#network = network;
    this.#work = new SteppedWork((error) => {
      // Like the product's chores, the model tries a statement again later that timed out.
      if (!isUnavailable(error)) expected.demand(false, `a worker failed: ${String(error)}`);
    });
    this.#clock = new WorkerClock(expected, this.#work.point);
    this.#database = wiretap.databaseOf(this.owner, this.#work.waits);
    this.#unstopped = wiretap.unstoppedDatabaseOf(this.owner);
  }

  get isIdle(): boolean {
    return this.#work.isIdle;
  }

  get holds(): boolean {
    return this.#lease !== null;
  }

  get isConnected(): boolean {
    return this.#connection?.connected === true;
  }

  get isOpen(): boolean {
    return this.#connection?.open === true;
  }

  /** Takes at most so many steps. `fates` says what the network does with the next frames. */
  async go(steps: number, fates: readonly Fate[] = []): Promise<void> {
    this.#fates = [...fates];
    await this.#work.go(steps);
  }

  /** Whether it stands at a statement, before Postgres has it or before the worker receives the answer. */
  get mayGiveUp(): boolean {
    return this.#work.point.mayGiveUp;
  }

  /** The statement at which it stands times out. */
  async giveUp(): Promise<void> {
    this.#work.point.giveUp();
    await this.#work.still();
  }

  async goToTheEnd(): Promise<void> {
    await this.go(1_000);
    if (!this.isIdle) this.#expected.demand(false, 'a worker did not come to an end');
  }

  take(): Promise<void> {
    return this.#work.start(async () => {
      const [lease] = await takeLeases(this.#database, this.owner, 0, 1, 1);
      if (lease === undefined) return;
      this.#lease = new DeviceLease({
        token: { deviceId: lease.deviceId, owner: this.owner, epoch: lease.epoch },
        database: this.#database,
        log: this.#log(),
        onLost: () => this.#forget(),
      });
      await this.#connect(this.#lease);
    });
  }

  connect(): Promise<void> {
    return this.#work.start(async () => {
      if (this.#lease !== null) await this.#connect(this.#lease);
    });
  }

  async #connect(lease: DeviceLease): Promise<void> {
    if (!(await writeDeviceState(this.#database, lease.token, 'connecting', null))) return;
    const login: Login = { epoch: lease.token.epoch };
    if (!this.#network.login(login)) return this.#loggedOut(lease);
    const connection: Connection = { login, lane: this.#laneOf(lease, login), connected: true, open: false };
    this.#connection = connection;
    if (!(await writeDeviceState(this.#database, lease.token, 'connected', null))) return this.#lose();
    await connection.lane.recover(() => connection.connected);
    if (connection.connected) connection.open = true;
  }

  #laneOf(lease: DeviceLease, login: Login): DeviceLane {
    const { polite } = this.#expected;
    const device = {
      lease,
      outcomes: createOutcomeWriter(this.#database),
      claimer: createClaimer(this.#database, this.#accountKeys),
      contacts: polite
        ? rememberRecipients(createContactNotes(this.#database, createContactWriter(this.#database), lease.token))
        : noContactNotes,
      typing: { before: () => (polite ? this.#work.point.stop() : Promise.resolve()) },
      clock: this.#clock,
      isConnected: () => this.#isLoggedIn(login),
      requestTickets: () => undefined,
    };
    return new DeviceLane(device, this.#sessionOf(login));
  }

  #isLoggedIn(login: Login): boolean {
    return this.#connection?.login === login && this.#connection.connected;
  }

  /** A lane catches errors and logs an interruption. The model must see them. */
  #log() {
    const write = (line: string) => {
      if (line.includes('interrupted') && !line.includes('Query read timeout'))
        this.#expected.demand(false, `a turn was interrupted: ${line}`);
    };
    return createLogger({ name: 'model', level: 'warn', pretty: false, destination: { write } });
  }

  #sessionOf(login: Login): Session {
    return {
      send: async (message) => (this.#isLoggedIn(login) ? this.#write(login, message) : nothingWritten),
      typing: async () => undefined,
      logout: async () => this.#network.logOut(),
      close: async () => this.#lose(),
    };
  }

  async #write(login: Login, message: OutgoingMessage): Promise<SendOutcome> {
    const fate = this.#fates.shift() ?? 'ack';
    if (fate !== 'ack' && fate !== 'refused' && fate !== 'busy') this.#expected.faulty = true;
    const { networkMessageId, recipient, content } = message;
    const { text } = content;
    const written = this.#expected.accepted.find((accepted) => accepted.text === text);
    if (written !== undefined) written.written++;
    const answer = this.#network.write(login, { networkMessageId, recipient, text }, this.#expected.now, fate);
    await this.#work.point.stop();
    const cutOff = answer === 'reset' || !this.#isLoggedIn(login);
    if (cutOff && answer === 'reset') this.#lose();
    return outcomeOf[cutOff && answer !== 'ack' ? 'reset' : answer];
  }

  /** Calls its timers that are due. */
  async callTimers(): Promise<void> {
    for (const call of this.#clock.takeDue()) {
      call();
      await this.#work.still();
    }
  }

  /** Takes the turn of a ticket. */
  turn(ticket: Ticket): Promise<void> {
    return this.#work.start(async () => {
      const connection = this.#connection;
      if (connection === null) return;
      this.lastTurn = await connection.lane.take(ticket, () => connection.open);
      if (this.lastTurn === 'not-now') connection.open = false;
    });
  }

  recover(): Promise<void> {
    return this.#work.start(async () => {
      const connection = this.#connection;
      await connection?.lane.recover(() => connection.open);
    });
  }

  async renew(): Promise<void> {
    const token = this.#lease?.token;
    if (token === undefined) return;
    const renewed = await renewLeases(this.#unstopped, { owner: this.owner, capacity: 1 }, [token]);
    if (!renewed.some((lease) => lease.epoch === token.epoch)) this.#forget();
  }

  /** Hands the device over after its last turn. */
  release(): Promise<void> {
    return this.#work.start(async () => {
      const token = this.#lease?.token;
      if (token === undefined) return;
      this.#forget();
      await releaseLeases(this.#database, [token]);
    });
  }

  /** The customer wants the device unlinked: logs the account out, and fails the waiting messages. */
  logOut(): Promise<void> {
    return this.#work.start(async () => {
      const connection = this.#connection;
      if (connection === null || this.#lease === null) return;
      connection.open = false;
      if (!this.#network.isLive(connection.login)) return this.#lose();
      this.#network.logOut();
      await this.hearLoggedOut();
    });
  }

  /** The network reported that the account is logged out. The worker does not wait for a running turn. */
  async hearLoggedOut(): Promise<void> {
    this.#lose();
    if (this.#lease !== null) await this.#loggedOut(this.#lease);
  }

  async #loggedOut({ token }: DeviceLease): Promise<void> {
    if (!(await writeUnlinked(this.#unstopped, token, 'disconnected', { reason: 'logged_out' }))) return this.#forget();
    while ((await failMessagesOfUnlinked(this.#unstopped, token.deviceId)) > 0);
  }

  /** The connection broke, or is closed. */
  lose(): void {
    this.#lose();
  }

  #lose(): void {
    if (this.#connection === null) return;
    this.#network.end(this.#connection.login);
    this.#connection.connected = false;
    this.#connection.open = false;
  }

  #forget(): void {
    this.#lose();
    this.#lease = null;
  }
}
