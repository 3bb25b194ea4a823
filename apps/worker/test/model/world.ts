/** The world of one run: an account with a device, two workers, the network and the model, on an empty database. */
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  type MessageId,
  messagePriorities,
  newId,
  textContent,
} from '@kurir/contracts';
import {
  type AccountKeys,
  acceptTogether,
  createAccountKeys,
  createContactWriter,
  createOutcomeWriter,
  createSealer,
  type Database,
  type NewMessage,
  type OutcomeWriter,
} from '@kurir/database';
import type { Ticket } from '@kurir/queue';
import { type ContactNotes, createContactNotes, noContactNotes } from '../../src/messages/contact-notes.js';
import { type Accepted, Expected } from './expected.js';
import { Network } from './network.js';
import { StoppableWorker } from './stoppable-worker.js';
import { beginningMs, type StoppedClock } from './stopped-clock.js';
import { Wiretap } from './wiretap.js';

export const quota = 6;
const sealer = createSealer(createSecretKey(randomBytes(32)));

/** All runs on a database share its keys, which listen to the connections. Each run has a new account. */
const keysOfDatabases = new WeakMap<Database, AccountKeys>();

function keysOf(database: Database): AccountKeys {
  const known = keysOfDatabases.get(database) ?? createAccountKeys(database, sealer);
  keysOfDatabases.set(database, known);
  return known;
}

/** A message of a request, before it has ids. */
export type MessageDraft = {
  readonly recipient: 0 | 1;
  readonly priority: 0 | 1;
  readonly ttlSeconds: 30 | 300 | null;
  readonly inSeconds: 60 | null;
};

/** The ids are our own and contain no quotes. */
const insertAccount = (accountId: AccountId, deviceId: DeviceId, polite: boolean) => `
  INSERT INTO accounts (id, name) VALUES ('${accountId}', 'model');
  INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota)
    VALUES (gen_random_uuid(), '${accountId}', 'Model', 'TIME_BASED', now() - interval '1 day', now() + interval '9 years', ${quota});
  INSERT INTO devices (id, account_id, name, network, linked, desired_state, state, last_connected_at, pace_per_minute, pace_jitter_ms, new_contacts_per_day)
    VALUES ('${deviceId}', '${accountId}', 'd', 'simulator', true, 'linked', 'connecting', now(), ${polite ? '12, 2000, 1' : 'NULL, 0, NULL'});
  INSERT INTO device_leases (device_id, expires_at) VALUES ('${deviceId}', now());`;

export type Setting = {
  /** Returns a statement as the mutant has it. */
  readonly rewrite: (name: string | undefined, text: string) => string;
  /** See `Expected`. */
  readonly polite: boolean;
};

/** Returns the ticket that the api makes for the message. */
export function ticketOf({ expected }: World, { id, priority }: Accepted): Ticket {
  return { messageId: id, deviceId: expected.deviceId, priority, requestId: 'req_model' };
}

export class World {
  readonly accountId = newId('acc');
  readonly #keyId: ApiKeyId = 'kk_live_model';
  readonly clock: StoppedClock;
  readonly expected: Expected;
  readonly network = new Network();
  readonly wiretap: Wiretap;
  readonly workers: [StoppableWorker, StoppableWorker];
  /** Reads keys past the wiretap, so that it never stops or fails. */
  readonly accountKeys: AccountKeys;
  readonly reports: OutcomeWriter;
  readonly contacts: ContactNotes;
  /** All accepted requests, so that they can be sent again. */
  readonly requests: NewMessage[][] = [];
  #texts = 0;

  private constructor(clock: StoppedClock, { rewrite, polite }: Setting) {
    this.clock = clock;
    this.expected = new Expected(newId('dev'), polite);
    this.wiretap = new Wiretap(clock.database, this.expected, rewrite);
    this.accountKeys = keysOf(clock.database);
    this.workers = [this.newWorker(), this.newWorker()];
    this.reports = createOutcomeWriter(this.database);
    this.contacts = polite
      ? createContactNotes(this.database, createContactWriter(this.database), this.expected)
      : noContactNotes;
  }

  /** Begins a run on an empty database. The first worker holds the device. */
  static async begin(clock: StoppedClock, setting: Setting): Promise<World> {
    const world = new World(clock, setting);
    await clock.begin();
    await clock.database.pool.query(insertAccount(world.accountId, world.expected.deviceId, setting.polite));
    await world.workers[0].take();
    await world.workers[0].goToTheEnd();
    return world;
  }

  get database(): Database {
    return this.wiretap.database;
  }

  /** Postgres runs a statement that timed out. */
  async carryOutLate(index: number): Promise<void> {
    const [statement] = this.wiretap.late.splice(index % this.wiretap.late.length, 1);
    await statement?.();
  }

  newWorker(): StoppableWorker {
    return new StoppableWorker(this.wiretap, this.accountKeys, this.expected, this.network);
  }

  async pass(ms: number): Promise<void> {
    // A worker that stands between two steps for so long is late with its next step.
    if (this.workers.some((worker) => !worker.isIdle)) this.expected.faulty = true;
    this.expected.now += ms;
    await this.clock.set(this.expected.now);
    for (const worker of this.workers) await worker.callTimers();
  }

  /** Sends one request, and adds the accepted messages to the model. */
  async send(drafts: readonly MessageDraft[]): Promise<void> {
    const messages = drafts.map((draft, position) => this.#messageOf(draft, position, this.requests.length));
    const outcomes = await acceptTogether(this.database, this.accountKeys, messages);
    outcomes.forEach((outcome, i) => {
      const [message, draft] = [messages[i], drafts[i]];
      if (outcome.kind !== 'accepted' || message === undefined || draft === undefined) return this.#refused(outcome);
      this.expected.accepted.push(this.#acceptedOf(message, draft, outcome.messageId, outcome.seq));
    });
    if (outcomes.every((outcome) => outcome.kind === 'accepted')) this.requests.push(messages);
  }

  #refused(outcome: { readonly kind: string; readonly code?: string }): void {
    const known = outcome.code === 'DEVICE_NOT_CONNECTED' || outcome.code === 'QUOTA_EXHAUSTED';
    this.expected.demand(known, `a new message was answered ${outcome.kind} ${outcome.code ?? ''}`);
  }

  /** Sends a request again, which must get its first answer. */
  async sendAgain(index: number): Promise<void> {
    const first = this.requests[index % this.requests.length] ?? [];
    const again = first.map((message) => ({ ...message, id: newId('msg'), requestId: newId('req') }));
    const outcomes = await acceptTogether(this.database, this.accountKeys, again);
    outcomes.forEach((outcome, i) => {
      const isFirst = outcome.kind === 'repeated' && outcome.messageId === first[i]?.id;
      this.expected.demand(isFirst, 'a repeated request did not get its first answer');
    });
  }

  #messageOf(draft: MessageDraft, position: number, request: number): NewMessage {
    const { deviceId } = this.expected;
    const text = `message ${this.#texts++}`;
    const sendAt = draft.inSeconds === null ? null : new Date(beginningMs + this.expected.now + draft.inSeconds * 1000);
    return {
      id: newId('msg'),
      accountId: this.accountId,
      deviceId,
      keyId: this.#keyId,
      requestId: newId('req'),
      repeatKey: createHash('sha256').update(`request ${request} ${this.#texts}`).digest(),
      position,
      input: {
        content: textContent(text),
        recipient: `628123456789${draft.recipient}`,
        clientRef: null,
        priority: messagePriorities[draft.priority] ?? 'normal',
        category: 'transactional',
        ttlSeconds: draft.ttlSeconds,
        sendAt,
      },
    };
  }

  #acceptedOf({ input }: NewMessage, draft: MessageDraft, id: MessageId, seq: bigint): Accepted {
    const { now } = this.expected;
    const sendAt = draft.inSeconds === null ? null : now + draft.inSeconds * 1000;
    return {
      id,
      seq,
      text: input.content.text,
      recipient: input.recipient,
      priority: draft.priority,
      sendAt,
      expiresAt: draft.ttlSeconds === null ? null : (sendAt ?? now) + draft.ttlSeconds * 1000,
      attempts: 0,
      openTries: 0,
      written: 0,
      cancelledAt: null,
    };
  }
}
