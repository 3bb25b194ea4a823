/**
 * Reports receipts and messages from the network to the worker first, and passes them to Baileys after the worker's
 * handler resolved. Baileys acknowledges at the end of its handling. So a stanza whose handler rejects stays
 * unacknowledged and arrives again after the next login. Messages keep their order; so do the receipts of one message.
 *
 * No stanza gets a negative acknowledgement: the server would keep the stanza and deliver nothing after it (Baileys
 * #2779). A stanza that Baileys 7.0.0-rc14 would refuse is acknowledged here, as WhatsApp's own clients do, and is not
 * passed on.
 *
 * One gap: a message that only the phone can read for us is acknowledged before it is reported.
 */
import type { InboundReport, Receipt } from '@kurir/network';
import {
  type BinaryNode,
  buildAckStanza,
  getBinaryNodeChild,
  jidNormalizedUser,
  type WAMessage,
  type WASocket,
} from 'baileys';
import type { ContactTokens } from '../people/contact-tokens.js';
import { isOwn, receiptsOf } from '../sending/receipts.js';
import type { Resends } from '../sending/resends.js';
import { takeListener } from '../socket/baileys-socket.js';
import { BoundedCache } from '../socket/bounded-cache.js';
import type { DriverLog } from '../socket/driver-log.js';
import { isPerson } from '../socket/jid.js';
import { InboundPreview, type InboundPreviewOptions, inboundOf, type Numbers } from './inbound-preview.js';

export type Reports = {
  receipt(receipt: Receipt): Promise<unknown>;
  inbound(report: InboundReport): Promise<unknown>;
};

export type IncomingParts = {
  readonly reports: Reports;
  readonly resends: Resends;
  readonly tokens: ContactTokens;
  /** Handles a message of the account's own phone, to this device or to somebody. Resolves when it is stored. */
  fromPhone(message: WAMessage): Promise<void>;
  readonly numbers: Numbers;
  readonly baileysLog: InboundPreviewOptions['log'];
  readonly log: DriverLog;
  /** How long one stanza may take before the next one is handled. */
  readonly handlerTimeoutMs: number;
};

const REMEMBERED_IDS = 200;

export class IncomingStanzas {
  readonly #socket: WASocket;
  readonly #parts: IncomingParts;
  readonly #preview: InboundPreview;
  readonly #takeReceipt: (stanza: BinaryNode) => Promise<void>;
  readonly #takeMessage: (stanza: BinaryNode) => Promise<void>;
  /** Messages that the preview has read. Baileys' own event for them reports nothing new. */
  readonly #seen = new BoundedCache<true>(REMEMBERED_IDS);
  #lastMessage: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(socket: WASocket, parts: IncomingParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#preview = new InboundPreview({ auth: socket.authState, log: parts.baileysLog });
    this.#takeReceipt = takeListener(socket, 'CB:receipt');
    this.#takeMessage = takeListener(socket, 'CB:message');
    socket.ws.on('CB:receipt', (stanza: BinaryNode) => {
      void this.#inTime(stanza, (patience) => this.#onReceipt(stanza, patience));
    });
    socket.ws.on('CB:message', (stanza: BinaryNode) => {
      this.#lastMessage = this.#lastMessage.then(() =>
        this.#inTime(stanza, (patience) => this.#onMessage(stanza, patience)),
      );
    });
    socket.ev.on('messages.upsert', ({ messages }) => {
      for (const message of messages) {
        if (message.key.id && !this.#seen.has(message.key.id)) {
          void this.#reportLate(message);
        }
      }
    });
  }

  /** After this, nothing is reported or acknowledged. */
  stop(): void {
    this.#stopped = true;
    this.#preview.close();
  }

  /**
   * Gives up a handler that hangs. Its stanza stays unacknowledged, and the next stanzas are handled. Never rejects.
   */
  async #inTime(stanza: BinaryNode, handle: (patience: AbortSignal) => Promise<void>): Promise<void> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), this.#parts.handlerTimeoutMs);
    const givenUp = new Promise<void>((resolve) => patience.signal.addEventListener('abort', () => resolve()));
    const handled = handle(patience.signal).catch((err: unknown) => {
      this.#parts.log.warn({ err, stanza: stanza.tag }, 'a stanza could not be handled');
    });
    await Promise.race([handled, givenUp]);
    clearTimeout(timer);
    if (patience.signal.aborted) this.#parts.log.warn({ stanza: stanza.tag }, 'the handler of a stanza hung');
  }

  async #onReceipt(stanza: BinaryNode, patience: AbortSignal): Promise<void> {
    if (this.#stopped) return;
    if (stanza.attrs['type'] === 'retry' && isPerson(stanza.attrs['from'])) return this.#onRetry(stanza, patience);
    const reports = receiptsOf(stanza, this.#me());
    try {
      // All at once, so that the receipts of many messages in one stanza share a commit.
      await Promise.all(reports.map((receipt) => this.#parts.reports.receipt(receipt)));
    } catch {
      // The worker logs its own failure. The network learns of it because the stanza stays unacknowledged.
      return;
    }
    if (!this.#isOver(patience)) await this.#takeReceipt(stanza);
  }

  async #onRetry(stanza: BinaryNode, patience: AbortSignal): Promise<void> {
    try {
      await this.#parts.resends.answer(stanza);
    } finally {
      if (!this.#isOver(patience)) await this.#acknowledge(stanza);
    }
  }

  async #onMessage(stanza: BinaryNode, patience: AbortSignal): Promise<void> {
    if (this.#stopped) return;
    const enc = getBinaryNodeChild(stanza, 'enc');
    // Groups, status posts and channels are not read. Nobody here can read the replies of WhatsApp's own bots.
    if (!isPerson(stanza.attrs['from']) || enc?.attrs['type'] === 'msmsg') return this.#acknowledge(stanza);
    // Baileys asks the phone for a message that arrived without a text.
    if (enc === undefined) return this.#takeMessage(stanza);
    await this.#noteToken(stanza);
    const read = await this.#preview.read(stanza);
    if (this.#isOver(patience)) return;
    if (typeof read === 'object') return this.#onRead(stanza, read, patience);
    // Baileys handles a message that our own phone sends its companions. The phone is not asked to send it again.
    if (stanza.attrs['category'] === 'peer') return this.#takeMessage(stanza);
    return read === 'unreadable' ? this.#askAgain(stanza) : this.#acknowledge(stanza);
  }

  async #onRead(stanza: BinaryNode, message: WAMessage, patience: AbortSignal): Promise<void> {
    this.#seen.set(stanza.attrs['id'] ?? '', true);
    if (message.key.fromMe) await this.#parts.fromPhone(message);
    const inbound = await inboundOf(message, this.#parts.numbers);
    if (inbound !== null && !(await this.#report(inbound))) return;
    if (!this.#isOver(patience)) await this.#takeMessage(stanza);
  }

  /** The sender encrypts the message again and sends it under the same id. */
  async #askAgain(stanza: BinaryNode): Promise<void> {
    try {
      await this.#socket.sendRetryRequest(stanza);
    } finally {
      await this.#acknowledge(stanza);
    }
  }

  /** Stores the sender's token, which a message may contain (Baileys #2752). */
  async #noteToken(stanza: BinaryNode): Promise<void> {
    const token = getBinaryNodeChild(stanza, 'tctoken');
    const { from, sender_lid: lid, t } = stanza.attrs;
    const owner = lid ?? from;
    if (!(token?.content instanceof Uint8Array) || owner === undefined || isOwn(owner, this.#me())) return;
    await this.#parts.tokens.note(jidNormalizedUser(owner), token.content, Number(token.attrs['t'] ?? t));
  }

  async #acknowledge(stanza: BinaryNode): Promise<void> {
    if (!this.#stopped) await this.#socket.sendNode(buildAckStanza(stanza, undefined, this.#me().id));
  }

  /**
   * Reports a message that only the phone could read for us. Never rejects: a store that rejects has ended the session.
   */
  async #reportLate(message: WAMessage): Promise<void> {
    const inbound = await inboundOf(message, this.#parts.numbers).catch(() => null);
    if (inbound !== null) await this.#report(inbound);
  }

  /** Returns whether the worker has stored the message. */
  async #report(report: InboundReport): Promise<boolean> {
    if (this.#stopped) return false;
    try {
      await this.#parts.reports.inbound(report);
      return true;
    } catch {
      // As for a receipt: the stanza stays unacknowledged.
      return false;
    }
  }

  #isOver(patience: AbortSignal): boolean {
    return this.#stopped || patience.aborted;
  }

  #me(): { id: string; lid?: string } {
    const { id = '', lid } = this.#socket.authState.creds.me ?? {};
    return lid === undefined ? { id } : { id, lid };
  }
}
