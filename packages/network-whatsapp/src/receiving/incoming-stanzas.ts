/**
 * Reports receipts and messages from the network to the worker first, and passes them to Baileys after the worker's
 * handler resolved. Baileys acknowledges at the end of its handling. So a stanza whose handler rejects stays
 * unacknowledged and arrives again after the next login. Messages keep their order; so do the receipts of one message.
 *
 * No stanza gets a negative acknowledgement: the server would keep the stanza and deliver nothing after it (Baileys
 * #2779). A stanza that Baileys 7.0.0-rc14 would refuse is acknowledged here, as WhatsApp's own clients do, and is not
 * passed on.
 *
 * A message that cannot be decrypted is reported as such, and the sender is asked for it again. The phone
 * sends what it read for us in a message of its own. The driver reports it, then acknowledges that message.
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
import { ownAddressesOf, takeListener } from '../socket/baileys-socket.js';
import type { DriverLog } from '../socket/driver-log.js';
import { isGroup, isPerson } from '../socket/jid.js';
import { InboundPreview, type InboundPreviewOptions, type Read } from './inbound-preview.js';
import { PhoneResends } from './phone-resends.js';
import { isNamed, type Parties, reportOf, unavailableReport, undecryptableReport } from './report-of.js';
import type { Senders } from './senders.js';

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
  readonly senders: Senders;
  /** Whether messages of groups are read and reported now. */
  readsGroups(): boolean;
  readonly baileysLog: InboundPreviewOptions['log'];
  readonly log: DriverLog;
  /** How long one stanza may take before the next one is handled. */
  readonly handlerTimeoutMs: number;
};

/** Reasons for which the content of a message never reaches a companion, as Baileys knows them. */
const NEVER_AVAILABLE: ReadonlySet<string> = new Set([
  'bot_unavailable_fanout',
  'hosted_unavailable_fanout',
  'view_once_unavailable_fanout',
]);
/** The replies of WhatsApp's own bots. Nobody here has their keys. */
const OF_A_BOT = 'msmsg';

export class IncomingStanzas {
  readonly #socket: WASocket;
  readonly #parts: IncomingParts;
  readonly #preview: InboundPreview;
  readonly #takeReceipt: (stanza: BinaryNode) => Promise<void>;
  readonly #takeMessage: (stanza: BinaryNode) => Promise<void>;
  readonly #phoneResends = new PhoneResends();
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
    const reports = receiptsOf(stanza, ownAddressesOf(this.#socket));
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
    if (!this.#isRead(stanza)) return this.#acknowledge(stanza);
    const enc = getBinaryNodeChild(stanza, 'enc');
    if (enc === undefined || enc.attrs['type'] === OF_A_BOT) return this.#onUnavailable(stanza, enc, patience);
    await this.#noteToken(stanza);
    const read = await this.#preview.read(stanza);
    if (this.#isOver(patience)) return;
    if (typeof read === 'object') return this.#onRead(stanza, read, patience);
    // Baileys handles a message that our own phone sends its companions. The phone is not asked to send it again.
    if (this.#isPeer(stanza)) return this.#takeMessage(stanza);
    if (read === 'read-before') return this.#acknowledge(stanza);
    const parties = await this.#parts.senders.of(stanza);
    if (!(await this.#report(undecryptableReport(stanza, parties))) || this.#isOver(patience)) return;
    // After a while, Baileys asks the phone, too.
    this.#phoneResends.expect(stanza);
    await this.#askAgain(stanza);
  }

  /** Whether a device of this account wrote it for the others, not for a chat. */
  #isPeer({ attrs: { category, from = '' } }: BinaryNode): boolean {
    return category === 'peer' && isOwn(from, ownAddressesOf(this.#socket));
  }

  /** Status posts, broadcast lists and channels are not read, and groups only if the worker wants them. */
  #isRead(stanza: BinaryNode): boolean {
    const { from } = stanza.attrs;
    return isNamed(stanza) && (isPerson(from) || (isGroup(from) && this.#parts.readsGroups()));
  }

  async #onRead(stanza: BinaryNode, { message, isWhole }: Exclude<Read, string>, patience: AbortSignal): Promise<void> {
    if (message.key.fromMe) await this.#parts.fromPhone(message);
    const reports = this.#isPeer(stanza) ? await this.#resentByPhone(message) : [await this.#reportOf(stanza, message)];
    for (const report of reports) if (!(await this.#report(report))) return;
    if (this.#isOver(patience)) return;
    await this.#keepGroupKey(stanza, message);
    // Baileys puts stanzas of the offline queue into a queue of its own. The next one would be read without its keys.
    const { offline: _offline, ...attrs } = stanza.attrs;
    return isWhole ? this.#takeMessage({ ...stanza, attrs }) : this.#acknowledge(stanza);
  }

  /**
   * A group's key may come with a message, sealed with the keys of a direct chat. Baileys stores that these are used
   * before it stores the group's key. A death between the two would lose the group's key. Twice is harmless.
   */
  async #keepGroupKey({ attrs }: BinaryNode, { message }: WAMessage): Promise<void> {
    const item = message?.senderKeyDistributionMessage;
    const authorJid = attrs['participant'] ?? attrs['from'];
    if (!item?.groupId || authorJid === undefined) return;
    await this.#socket.signalRepository.processSenderKeyDistributionMessage({ authorJid, item });
  }

  async #reportOf(stanza: BinaryNode, { message, verifiedBizName }: WAMessage): Promise<InboundReport | null> {
    return message ? reportOf(stanza, message, await this.#parts.senders.of(stanza, verifiedBizName ?? null)) : null;
  }

  async #resentByPhone(message: WAMessage): Promise<readonly (InboundReport | null)[]> {
    const resent = this.#phoneResends.in(message).filter(({ stanza }) => this.#isRead(stanza));
    return Promise.all(resent.map(({ stanza, message: read }) => this.#reportOf(stanza, read)));
  }

  /** Baileys asks the phone for a message that arrived without a text. Some never come. */
  async #onUnavailable(stanza: BinaryNode, enc: BinaryNode | undefined, patience: AbortSignal): Promise<void> {
    const type = enc?.attrs['type'] ?? getBinaryNodeChild(stanza, 'unavailable')?.attrs['type'];
    const parties = await this.#parts.senders.of(stanza);
    const report = this.#unavailableReport(stanza, type, parties);
    if (!(await this.#report(report)) || this.#isOver(patience)) return;
    if (enc !== undefined) return this.#acknowledge(stanza);
    this.#phoneResends.expect(stanza);
    await this.#takeMessage(stanza);
  }

  #unavailableReport(stanza: BinaryNode, type: string | undefined, parties: Parties): InboundReport | null {
    const isNever = type !== undefined && (type === OF_A_BOT || NEVER_AVAILABLE.has(type));
    return isNever ? unavailableReport(stanza, type, parties) : undecryptableReport(stanza, parties);
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
    if (!(token?.content instanceof Uint8Array) || owner === undefined || isOwn(owner, ownAddressesOf(this.#socket)))
      return;
    await this.#parts.tokens.note(jidNormalizedUser(owner), token.content, Number(token.attrs['t'] ?? t));
  }

  async #acknowledge(stanza: BinaryNode): Promise<void> {
    if (!this.#stopped) await this.#socket.sendNode(buildAckStanza(stanza, undefined, ownAddressesOf(this.#socket).id));
  }

  /** Returns whether the worker has stored the report, or there is none. */
  async #report(report: InboundReport | null): Promise<boolean> {
    if (this.#stopped) return false;
    if (report === null) return true;
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
}
