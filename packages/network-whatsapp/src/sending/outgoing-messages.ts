/**
 * Sends messages in the order of the calls and waits for the network's acknowledgement. A written message is not `sent`
 * yet.
 *
 * Every try of a message uses the address of the first try. If the network refuses that address, the driver tries the
 * other one once, under the same id. It does so only while every earlier try has an answer, because an unanswered try
 * may have gone out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, OutgoingMessage, SendOutcome } from '@kurir/network';
import type { BinaryNode, WASocket } from 'baileys';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { People } from '../people/people.js';
import { otherAddress, type Person, type Try } from '../people/person.js';
import { BoundedCache } from '../socket/bounded-cache.js';
import { isPhone } from '../socket/jid.js';
import { isOfAddress, NOT_ALLOWED, outcomeOfRefusal, RATE_MS, retryAfter, STALE_DEVICES } from '../socket/refusals.js';
import type { Composer } from './composer.js';
import { type Answer, PendingSends } from './pending-sends.js';
import { isOwn } from './receipts.js';

/** Nothing was written, so the network cannot have the message. */
export const NOT_CONNECTED: SendOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 1_000,
};

const REMEMBERED_REFUSALS = 100;
const REMEMBERED_HASHES = 1_000;
/**
 * The network is asked when the restriction of new contacts ends. Without an answer in this time, the driver guesses.
 */
const LIMITS_ANSWER_MS = 2_000;

export type OutgoingOptions = {
  readonly ackTimeoutMs: number;
  acknowledged(acknowledgement: Acknowledgement): void;
  /** Whether the account may not write to new contacts, as the network last said. */
  restriction(): Restriction;
  /**
   * Asks for the limits after the network refused a message, perhaps because of a restriction. Resolves when the answer
   * is there.
   */
  askLimits(): Promise<void>;
};

/** Null: the account may write to new contacts. `unknown`: the network has not said it. */
export type Restriction = { readonly until: Date | null } | null | 'unknown';

export type OutgoingParts = {
  readonly people: People;
  readonly composer: Composer;
  readonly tokens: ContactTokens;
};

/** A stanza that was written to the socket. */
type Written = {
  readonly kind: 'written';
  readonly message: OutgoingMessage;
  readonly person: Person;
  readonly to: string;
  readonly participantHash: string;
  /** An earlier try was never answered. */
  readonly followsUnanswered: boolean;
  /** The address that the network refused in the try just before. */
  readonly refusedAddress: string | null;
  readonly wereBothRefused: boolean;
  readonly answer: Promise<Answer>;
};

/** The parts of a try that differ from a first one. */
type Choice = Pick<Written, 'to' | 'followsUnanswered' | 'refusedAddress' | 'wereBothRefused'>;

export class OutgoingMessages {
  readonly #socket: WASocket;
  readonly #parts: OutgoingParts;
  readonly #options: OutgoingOptions;
  readonly #pending: PendingSends;
  /** Messages that the network refused because of stale devices. */
  readonly #stale = new BoundedCache<true>(REMEMBERED_REFUSALS);
  /**
   * By address: the server's hash for which the driver has already asked for devices again. Once per hash is enough.
   */
  readonly #askedFor = new BoundedCache<string>(REMEMBERED_HASHES);
  /** By message id. */
  readonly #running = new Map<string, Pick<Written, 'message' | 'to' | 'participantHash'>>();
  /** Ends the wait in `#untilStopped`. Only one message waits there at a time. */
  #stopWaiting: () => void = () => undefined;
  #stopped = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(socket: WASocket, parts: OutgoingParts, options: OutgoingOptions) {
    this.#socket = socket;
    this.#parts = parts;
    this.#options = options;
    this.#pending = new PendingSends(options.ackTimeoutMs);
    socket.ws.on('CB:ack,class:message', (stanza: BinaryNode) => this.#onAcknowledgement(stanza));
  }

  /** Never rejects. */
  async send(message: OutgoingMessage): Promise<SendOutcome> {
    // A store that rejects has ended the session, and nothing was written.
    const written = await this.#inTurn(() => this.#begin(message).catch(() => NOT_CONNECTED));
    return written.kind === 'written' ? this.#outcomeOf(written) : written;
  }

  /** Resolves every waiting send as `unknown`. Call it when the connection has ended. */
  stop(): void {
    this.#stopped = true;
    this.#stopWaiting();
    this.#pending.resolveAll({ kind: 'unknown', reason: 'connection_lost' });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn;
    return turn;
  }

  async #begin(message: OutgoingMessage): Promise<Written | SendOutcome> {
    if (this.#stopped) return NOT_CONNECTED;
    const found = await this.#untilStopped(this.#parts.people.find(message.recipient));
    if (found === null) return NOT_CONNECTED;
    if (found.kind !== 'found') return found;
    const { person } = found;
    const before = person.tries[message.networkMessageId];
    const to = before?.to ?? (await this.#untilStopped(this.#parts.people.addressOf(person)));
    if (to === null) return NOT_CONNECTED;
    const followsUnanswered = before?.isUnanswered ?? false;
    return this.#write(message, person, {
      to,
      followsUnanswered,
      refusedAddress: null,
      wereBothRefused: before?.wereBothRefused ?? false,
    });
  }

  async #write(message: OutgoingMessage, person: Person, choice: Choice): Promise<Written | SendOutcome> {
    const { networkMessageId: id } = message;
    const next: Try = { to: choice.to, isUnanswered: true, wereBothRefused: choice.wereBothRefused };
    const composed = await this.#untilStopped(this.#parts.composer.compose(message, person, next));
    if (composed?.kind !== 'composed' || this.#stopped) {
      await this.#noteTry(message, { ...choice, to: choice.refusedAddress ?? choice.to }, choice.followsUnanswered);
      return composed === null || composed.kind === 'composed' ? NOT_CONNECTED : composed;
    }
    const { participantHash } = composed;
    const answer = this.#pending.add(id);
    this.#running.set(id, { message, to: choice.to, participantHash });
    this.#socket.sendNode(composed.stanza).catch(() => {
      const reason = this.#socket.ws.isOpen ? 'no_answer' : 'connection_lost';
      this.#pending.resolve(id, { kind: 'unknown', reason });
    });
    return { kind: 'written', message, person, participantHash, answer, ...choice };
  }

  async #outcomeOf(written: Written): Promise<SendOutcome> {
    const { message, person, to } = written;
    const { networkMessageId: id, recipient } = message;
    const answer = await written.answer;
    this.#running.delete(id);
    // The try stays noted as unanswered, also after a restart.
    if (answer.kind === 'unknown') return answer;
    if (answer.kind === 'refused') return this.#refused(written, answer.error);
    await ignoringStore(this.#parts.people.noteTry(recipient, id, null));
    if (written.refusedAddress !== null) await ignoringStore(this.#parts.people.learnAddress(recipient, to));
    void this.#parts.tokens.vouch(person);
    return { kind: 'sent' };
  }

  async #refused(written: Written, error: string): Promise<SendOutcome> {
    const { message, followsUnanswered, refusedAddress } = written;
    const staleBefore = this.#stale.has(message.networkMessageId);
    const learned = await this.#learn(written, error);
    // If the account is restricted without our knowledge, another try would count as another message to a new contact.
    const isUnsure = learned === 'unknown' && error === NOT_ALLOWED;
    const restriction = learned === 'unknown' ? null : learned;
    const other = restriction === null && !isUnsure && isOfAddress(error) ? this.#otherAddress(written) : null;
    if (other !== null) return this.#tryOther(written, other);
    const wereBothRefused = written.wereBothRefused || refusedAddress !== null;
    await this.#noteTry(message, { ...written, to: refusedAddress ?? written.to, wereBothRefused }, followsUnanswered);
    if (isUnsure) return retryAfter(RATE_MS, 'temporarily_unavailable');
    return outcomeOfRefusal({ error, staleBefore, restriction, wereBothRefused });
  }

  /**
   * Prepares the next try after a refusal. Asks again for the devices of the recipient, or finds out whether and until
   * when the account is restricted.
   */
  async #learn({ message, to }: Written, error: string): Promise<Restriction> {
    if (error === STALE_DEVICES) {
      this.#stale.set(message.networkMessageId, true);
      this.#parts.composer.forgetDevices(to);
      await ignoringStore(this.#parts.people.forget(message.recipient));
    }
    if (!isOfAddress(error)) return null;
    if (error === NOT_ALLOWED) await atMost(LIMITS_ANSWER_MS, this.#options.askLimits());
    return this.#options.restriction();
  }

  /** Null when no other address may be tried. */
  #otherAddress({ person, to, followsUnanswered, refusedAddress, wereBothRefused }: Written): string | null {
    if (followsUnanswered || refusedAddress !== null || wereBothRefused) return null;
    const other = otherAddress(person, to);
    const isOurs = this.#socket.authState.creds.me?.lid !== undefined;
    return other === person.lid && !isOurs ? null : other;
  }

  async #tryOther({ message, person, to: refusedAddress }: Written, to: string): Promise<SendOutcome> {
    const choice: Choice = { to, refusedAddress, followsUnanswered: false, wereBothRefused: false };
    const written = await this.#inTurn(() => this.#write(message, person, choice));
    return written.kind === 'written' ? this.#outcomeOf(written) : written;
  }

  async #noteTry(message: OutgoingMessage, choice: Choice, isUnanswered: boolean): Promise<void> {
    const next: Try = { to: choice.to, isUnanswered, wereBothRefused: choice.wereBothRefused };
    await ignoringStore(this.#parts.people.noteTry(message.recipient, message.networkMessageId, next));
  }

  #onAcknowledgement({ attrs }: BinaryNode): void {
    const { id: networkMessageId, error, from } = attrs;
    if (networkMessageId === undefined || this.#stopped) return;
    this.#compareDevices(networkMessageId, attrs);
    if (error !== undefined) {
      // A resend to one companion has the id of its message, too. The message itself goes to the account.
      if (from !== undefined && !isPhone(from)) return;
      // A late refusal is not reported: the worker sends the message again under its id, and the network refuses it
      // again.
      return void this.#pending.resolve(networkMessageId, { kind: 'refused', error });
    }
    if (this.#pending.resolve(networkMessageId, { kind: 'acknowledged' })) return;
    // Baileys sends messages to our own phone; their acknowledgements are not reported.
    if (from !== undefined && isOwn(from, { id: this.#socket.authState.creds.me?.id ?? '' })) return;
    this.#options.acknowledged({ networkMessageId });
  }

  /**
   * Compares the server's devices with those of the message. If the server knows others, or another LID (Baileys
   * #2661), the next message asks for them.
   */
  #compareDevices(networkMessageId: string, attrs: BinaryNode['attrs']): void {
    const running = this.#running.get(networkMessageId);
    if (running === undefined) return;
    const { phash, refresh_lid: refreshLid } = attrs;
    const { to, participantHash, message } = running;
    if (phash !== undefined && phash !== participantHash && this.#askedFor.get(to) !== phash) {
      this.#askedFor.set(to, phash);
      this.#parts.composer.forgetDevices(to);
    }
    if (refreshLid === 'true') {
      this.#parts.composer.forgetDevices(to);
      void ignoringStore(this.#parts.people.forget(message.recipient));
    }
  }

  /**
   * Null when the connection ends first. It does not use `Promise.race` with a promise that lives as long as the
   * connection. Each result of such a race would stay in memory for as long.
   */
  #untilStopped<T>(work: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(null);
      work.then(resolve, reject);
    });
  }
}

/** A store that rejects has ended the session already. The outcome stays the answer of the network. */
async function ignoringStore(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

/** Waits for `work`, but no longer than `ms`. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const tooLong = sleep(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([work, tooLong]);
  waiting.abort();
}
