/**
 * A worker as the product builds it, around the product's own lane: takes the device, connects, recovers, sends, and
 * stands still between any two steps until it is told to go on. What it writes goes through the product's statements.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '@kurir/contracts';
import {
  type AccountKeys,
  createClaimer,
  createContactWriter,
  createOutcomeWriter,
  type Database,
  failMessagesOfUnlinked,
  type Holder,
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
import { createDeviceLane, type DeviceLane } from '../../src/messages/device-lane.js';
import { createContactNotes, noContactNotes, rememberWritten } from '../../src/messages/note-contacts.js';
import type { LastTry } from '../../src/messages/try-message.js';
import type { Expected } from './expected.js';
import type { Answer, Fate, Login, Network } from './network.js';
import { StoppingPoint } from './stopping-point.js';
import type { Wiretap } from './wiretap.js';

const outcomes: Record<Answer, SendOutcome> = {
  ack: { kind: 'sent' },
  refused: { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' },
  busy: { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 1_000 },
  silence: { kind: 'unknown', reason: 'no_answer' },
  reset: { kind: 'unknown', reason: 'connection_lost' },
};

const nothingWritten: SendOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 0,
};

type Connection = { readonly login: Login; readonly lane: DeviceLane; connected: boolean; open: boolean };

/** What a worker does from one stopping point to the next takes two turns of the event loop at most: group commits gather for one. */
const turnsOfOneStep = 4;

export class StoppableWorker {
  readonly owner: string = newId('wrk');
  readonly #database: Database;
  readonly #beside: Database;
  readonly #accountKeys: AccountKeys;
  readonly #expected: Expected;
  readonly #network: Network;
  readonly #point = new StoppingPoint();
  /** How the last turn ended. */
  lastTurn: TurnEnd = 'done';
  #holder: Holder | null = null;
  /** What it knows of its last try under the present lease. */
  #lastTry: LastTry = { name: '', unstored: null };
  #connection: Connection | null = null;
  #running: Promise<void> | null = null;
  /** Statements that Postgres has not answered. */
  #asking = 0;
  #heard: () => void = () => undefined;
  #fates: Fate[] = [];
  readonly #timers = new Set<{ readonly dueAt: number; readonly call: () => void }>();

  constructor(wiretap: Wiretap, accountKeys: AccountKeys, expected: Expected, network: Network) {
    this.#accountKeys = accountKeys;
    this.#expected = expected;
    this.#network = network;
    this.#database = wiretap.databaseOf(this.owner, {
      before: () => this.#point.stopAtStatement(),
      asks: () => {
        this.#asking++;
      },
      heard: () => {
        this.#asking--;
        this.#heard();
      },
      after: () => this.#point.stopAtStatement(),
    });
    this.#beside = wiretap.databaseBeside(this.owner);
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  get holds(): boolean {
    return this.#holder !== null;
  }

  get isConnected(): boolean {
    return this.#connection?.connected === true;
  }

  get isOpen(): boolean {
    return this.#connection?.open === true;
  }

  /** Takes so many steps further, if it has them to take; `fates` are what the network does with its next frames. */
  async go(steps: number, fates: readonly Fate[] = []): Promise<void> {
    this.#fates = [...fates];
    for (let left = steps; left > 0 && this.#point.isStanding; left--) {
      // Where it stands in two places, both orders come up: how many steps are left is drawn.
      this.#point.release(left % 2 === 0 ? 'oldest' : 'newest');
      await this.#still();
    }
  }

  /** It stands at a statement, before Postgres has it or before it hears the answer. */
  get mayGiveUp(): boolean {
    return this.#point.mayGiveUp;
  }

  /** Its patience with the statement at which it stands is over. */
  async giveUp(): Promise<void> {
    this.#point.giveUp();
    await this.#still();
  }

  async goToTheEnd(): Promise<void> {
    await this.go(1_000);
    if (!this.isIdle) this.#expected.demand(false, 'a worker did not come to an end');
  }

  /** Until nothing moves any more: it stands at a stopping point, or at two, or has nothing left to do. */
  async #still(): Promise<void> {
    for (;;) {
      if (this.#asking > 0)
        await new Promise<void>((resolve) => {
          this.#heard = resolve;
        });
      for (let turns = 0; turns < turnsOfOneStep; turns++) await nextTurn();
      if (this.#running === null || (this.#point.isStanding && this.#asking === 0)) return;
    }
  }

  async #start(work: () => Promise<void>): Promise<void> {
    const before = this.#running;
    const running = Promise.all([before, work()])
      .catch((error: unknown) => {
        // As the product's chores: what was given up is tried again later.
        if (!isUnavailable(error)) this.#expected.demand(false, `a worker failed: ${String(error)}`);
      })
      .then(() => {
        if (this.#running === running) this.#running = null;
      });
    this.#running = running;
    await this.#still();
  }

  take(): Promise<void> {
    return this.#start(async () => {
      const [lease] = await takeLeases(this.#database, this.owner, 0, 1, 1);
      if (lease === undefined) return;
      this.#holder = { deviceId: lease.deviceId, owner: this.owner, epoch: lease.epoch };
      this.#lastTry = { name: '', unstored: null };
      await this.#connect(this.#holder);
    });
  }

  connect(): Promise<void> {
    return this.#start(async () => {
      if (this.#holder !== null) await this.#connect(this.#holder);
    });
  }

  async #connect(holder: Holder): Promise<void> {
    if (!(await writeDeviceState(this.#database, holder, 'connecting', null))) return;
    const login: Login = { epoch: holder.epoch };
    if (!this.#network.login(login)) return this.#loggedOut(holder);
    const connection: Connection = { login, lane: this.#laneOf(holder, login), connected: true, open: false };
    this.#connection = connection;
    if (!(await writeDeviceState(this.#database, holder, 'connected', null))) return this.#lose();
    await connection.lane.recover(() => connection.connected);
    if (connection.connected) connection.open = true;
  }

  #laneOf(holder: Holder, login: Login): DeviceLane {
    return createDeviceLane({
      database: this.#database,
      outcomes: createOutcomeWriter(this.#database),
      claimer: createClaimer(this.#database, this.#accountKeys),
      holder,
      session: this.#sessionOf(login),
      isConnected: () => this.#connection?.login === login && this.#connection.connected,
      onLeaseLost: () => this.#forget(),
      onPaceOpen: () => undefined,
      lastTry: this.#lastTry,
      typing: { before: () => (this.#expected.polite ? this.#point.stop() : Promise.resolve()) },
      contacts: this.#expected.polite
        ? rememberWritten(createContactNotes(this.#database, createContactWriter(this.#database), holder))
        : noContactNotes,
      pause: () => this.#point.stop(),
      now: () => this.#expected.now,
      after: (ms, call) => {
        const timer = { dueAt: this.#expected.now + ms, call };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
      log: this.#log(),
    });
  }

  /** What a lane catches and logs as an interruption would otherwise go unseen. */
  #log() {
    const write = (line: string) => {
      if (line.includes('interrupted') && !line.includes('Query read timeout'))
        this.#expected.demand(false, `a turn was interrupted: ${line}`);
    };
    return createLogger({ name: 'model', level: 'warn', pretty: false, destination: { write } });
  }

  #sessionOf(login: Login): Session {
    const connected = () => this.#connection?.login === login && this.#connection.connected;
    return {
      send: async (message) => (connected() ? this.#write(login, message) : nothingWritten),
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
    await this.#point.stop();
    const cutOff = answer === 'reset' || this.#connection?.login !== login || !this.#connection.connected;
    if (cutOff && answer === 'reset') this.#lose();
    return outcomes[cutOff && answer !== 'ack' ? 'reset' : answer];
  }

  /** Its timers that are due. */
  async hearTime(): Promise<void> {
    for (const timer of this.#timers) {
      if (timer.dueAt > this.#expected.now || !this.#timers.delete(timer)) continue;
      timer.call();
      await this.#still();
    }
  }

  /** Takes the turn of a ticket. */
  turn(ticket: Ticket): Promise<void> {
    return this.#start(async () => {
      const connection = this.#connection;
      if (connection === null) return;
      this.lastTurn = await connection.lane.take(ticket, () => connection.open);
      if (this.lastTurn === 'not-now') connection.open = false;
    });
  }

  recover(): Promise<void> {
    return this.#start(async () => {
      const connection = this.#connection;
      await connection?.lane.recover(() => connection.open);
    });
  }

  async renew(): Promise<void> {
    const holder = this.#holder;
    if (holder === null) return;
    const renewed = await renewLeases(this.#beside, { owner: this.owner, capacity: 1 }, [holder]);
    if (!renewed.some((lease) => lease.epoch === holder.epoch)) this.#forget();
  }

  /** Hands the device over: its last turn is over. */
  release(): Promise<void> {
    return this.#start(async () => {
      const holder = this.#holder;
      if (holder === null) return;
      this.#forget();
      await releaseLeases(this.#database, [holder]);
    });
  }

  /** The customer wants the device unlinked: logs the account out, and ends what waited. */
  logOut(): Promise<void> {
    return this.#start(async () => {
      const connection = this.#connection;
      if (connection === null || this.#holder === null) return;
      connection.open = false;
      if (!this.#network.isLive(connection.login)) return this.#lose();
      this.#network.logOut();
      await this.hearLoggedOut();
    });
  }

  /** The network said that the account is logged out; a running turn does not hold that up. */
  async hearLoggedOut(): Promise<void> {
    this.#lose();
    if (this.#holder !== null) await this.#loggedOut(this.#holder);
  }

  async #loggedOut(holder: Holder): Promise<void> {
    if (!(await writeUnlinked(this.#beside, holder, 'disconnected', { reason: 'logged_out' }))) return this.#forget();
    while ((await failMessagesOfUnlinked(this.#beside, holder.deviceId)) > 0);
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
    this.#holder = null;
  }
}
