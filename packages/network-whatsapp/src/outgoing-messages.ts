/**
 * Sends, in the order of the calls, and waits for the network's acknowledgement. Baileys' `sendMessage` resolves when the
 * bytes are written, which is not `sent`; and when it rejects, they may have been written all the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, OutgoingMessage, SendOutcome } from '@kurir/network';
import type { BinaryNode, WASocket } from 'baileys';
import { outcomeOfRefusal, STALE_DEVICES, NEW_CONTACTS_RESTRICTED } from './acknowledgement-errors.js';
import { BoundedCache } from './bounded-cache.js';
import { PendingSends } from './pending-sends.js';
import type { Recipients } from './recipients.js';
import { isOwn } from './receipts.js';

/** Nothing was written, so the network cannot have it. */
export const NOT_CONNECTED: SendOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 1_000,
};

const REMEMBERED_REFUSALS = 100;
/** Until when strangers are to wait is asked of the network; without an answer it is a guess. */
const LIMITS_ANSWER_MS = 2_000;

export type OutgoingOptions = {
  readonly ackTimeoutMs: number;
  acknowledged(acknowledgement: Acknowledgement): void;
  /** Until when the account may not write to strangers; null when it may, or the network did not say. */
  restrictedUntil(): Date | null;
  /** The network refused a message because of such a restriction. Resolves when it has said until when, if it does. */
  restricted(): Promise<void>;
  /** A message to this address was acknowledged. */
  reached(jid: string): void;
};

export class OutgoingMessages {
  readonly #socket: WASocket;
  readonly #recipients: Recipients;
  readonly #options: OutgoingOptions;
  readonly #pending: PendingSends;
  /** Messages that were refused for stale devices. */
  readonly #stale = new BoundedCache<true>(REMEMBERED_REFUSALS);
  /** To whom the running sends go. */
  readonly #numbers = new Map<string, string>();
  /** Ends the wait for an address; one send at a time is at that point. */
  #stopWaiting: () => void = () => undefined;
  #stopped = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(socket: WASocket, recipients: Recipients, options: OutgoingOptions) {
    this.#socket = socket;
    this.#recipients = recipients;
    this.#options = options;
    this.#pending = new PendingSends(options.ackTimeoutMs);
    socket.ws.on('CB:ack,class:message', (stanza: BinaryNode) => this.#onAcknowledgement(stanza));
  }

  /** Never rejects. */
  async send(message: OutgoingMessage): Promise<SendOutcome> {
    const turn = this.#lastTurn.then(() => this.#handOver(message));
    this.#lastTurn = turn;
    return (await turn).answer;
  }

  /** Answers everything that waits; the connection is gone. */
  stop(): void {
    this.#stopped = true;
    this.#stopWaiting();
    this.#pending.settleAll({ kind: 'unknown', reason: 'connection_lost' });
  }

  /** Resolves when Baileys has the message; the answer comes later, and is wrapped so that it is not waited for here. */
  async #handOver(message: OutgoingMessage): Promise<{ readonly answer: SendOutcome | Promise<SendOutcome> }> {
    if (this.#stopped) return { answer: NOT_CONNECTED };
    const recipient = await this.#untilStopped(this.#recipients.find(message.recipient));
    if (recipient === null || this.#stopped) return { answer: NOT_CONNECTED };
    return { answer: recipient.kind === 'found' ? this.#write(message, recipient.jid) : recipient };
  }

  /**
   * Null when the connection goes first. Not a race with a promise that lives as long as the connection: what takes
   * part in such a race stays in memory for as long.
   */
  #untilStopped<T>(work: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(null);
      work.then(resolve, reject);
    });
  }

  async #write({ networkMessageId, recipient, text }: OutgoingMessage, jid: string): Promise<SendOutcome> {
    const answer = this.#pending.add(networkMessageId);
    this.#numbers.set(networkMessageId, recipient);
    // `linkPreview: null`: never fetch what a text links to.
    this.#socket.sendMessage(jid, { text, linkPreview: null }, { messageId: networkMessageId }).catch(() => {
      const reason = this.#socket.ws.isOpen ? 'no_answer' : 'connection_lost';
      this.#pending.settle(networkMessageId, { kind: 'unknown', reason });
    });
    const outcome = await answer;
    this.#numbers.delete(networkMessageId);
    if (outcome.kind === 'sent') this.#options.reached(jid);
    return outcome;
  }

  #onAcknowledgement({ attrs }: BinaryNode): void {
    const { id: networkMessageId, error, from } = attrs;
    if (networkMessageId === undefined || this.#stopped) return;
    if (error !== undefined) return this.#refused(networkMessageId, error);
    if (this.#pending.settle(networkMessageId, { kind: 'sent' })) return;
    // Baileys' own messages to our phone are nobody's news.
    if (from !== undefined && isOwn(from, { id: this.#socket.authState.creds.me?.id ?? '' })) return;
    this.#options.acknowledged({ networkMessageId });
  }

  /** A refusal that comes too late is not reported: the message is sent again under its id and refused again. */
  #refused(networkMessageId: string, error: string): void {
    const number = this.#numbers.get(networkMessageId);
    const staleBefore = this.#stale.has(networkMessageId);
    const settle = (): void => {
      const restrictedUntil = this.#options.restrictedUntil();
      void this.#pending.settle(networkMessageId, outcomeOfRefusal({ error, staleBefore, restrictedUntil }));
    };
    void this.#learn(networkMessageId, number, error).finally(settle);
  }

  /** What the next try needs: fresh devices of the recipient, or until when strangers are to wait. */
  async #learn(networkMessageId: string, number: string | undefined, error: string): Promise<void> {
    if (error === NEW_CONTACTS_RESTRICTED) await atMost(LIMITS_ANSWER_MS, this.#options.restricted());
    if (error !== STALE_DEVICES) return;
    this.#stale.set(networkMessageId, true);
    if (number !== undefined) this.#recipients.forget(number);
  }
}

/** Waits for the work, but not for longer. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const tooLong = sleep(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([work, tooLong]);
  waiting.abort();
}
