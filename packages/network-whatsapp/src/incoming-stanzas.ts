/**
 * Receipts and messages from the network: reported first, handed to Baileys after the worker's handler resolved. Baileys
 * acknowledges when it has handled them, so what a handler rejects stays unacknowledged and comes again after the next
 * login. Messages keep their order; so do receipts of one message.
 *
 * One gap: a message that only Baileys can read (its sender had to be asked for it again) is acknowledged first.
 */
import type { InboundMessage, Receipt } from '@kurir/network';
import type { BinaryNode, WASocket } from 'baileys';
import { takeListener } from './baileys-socket.js';
import { BoundedCache } from './bounded-cache.js';
import { inboundOf, InboundPreview } from './inbound-preview.js';
import { isPerson } from './jid.js';
import { isOwn, receiptsOf } from './receipts.js';

export type Reports = {
  receipt(receipt: Receipt): Promise<unknown>;
  inbound(message: InboundMessage): Promise<unknown>;
};

const REMEMBERED_IDS = 200;

export class IncomingStanzas {
  readonly #socket: WASocket;
  readonly #reports: Reports;
  readonly #preview: InboundPreview;
  readonly #takeReceipt: (stanza: BinaryNode) => Promise<void>;
  readonly #takeMessage: (stanza: BinaryNode) => Promise<void>;
  /** Messages that the preview has seen; Baileys' own event for them is no news. */
  readonly #seen = new BoundedCache<true>(REMEMBERED_IDS);
  #lastMessage: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(socket: WASocket, log: ConstructorParameters<typeof InboundPreview>[2], reports: Reports) {
    this.#socket = socket;
    this.#reports = reports;
    const findNumber = (lid: string) => socket.signalRepository.lidMapping.getPNForLID(lid);
    this.#preview = new InboundPreview(socket.authState, findNumber, log);
    this.#takeReceipt = takeListener(socket, 'CB:receipt');
    this.#takeMessage = takeListener(socket, 'CB:message');
    socket.ws.on('CB:receipt', (stanza: BinaryNode) => void this.#onReceipt(stanza));
    socket.ws.on('CB:message', (stanza: BinaryNode) => {
      this.#lastMessage = this.#lastMessage.then(() => this.#onMessage(stanza));
    });
    socket.ev.on('messages.upsert', ({ messages }) => {
      for (const message of messages) {
        if (message.key.id && !this.#seen.has(message.key.id)) {
          void inboundOf(message, findNumber).then((inbound) => inbound && this.#report(inbound));
        }
      }
    });
  }

  /** Nothing is reported or acknowledged any more. */
  stop(): void {
    this.#stopped = true;
    this.#preview.close();
  }

  async #onReceipt(stanza: BinaryNode): Promise<void> {
    const reports = receiptsOf(stanza, this.#me());
    try {
      if (this.#stopped) return;
      // Together: what one phone says of a hundred messages shares a commit.
      await Promise.all(reports.map((receipt) => this.#reports.receipt(receipt)));
    } catch {
      // The worker logs its own failure; leaving the stanza unacknowledged is how the network learns of it.
      return;
    }
    if (!this.#stopped) await this.#takeReceipt(stanza);
  }

  async #onMessage(stanza: BinaryNode): Promise<void> {
    const { from } = stanza.attrs;
    if (isPerson(from) && !isOwn(from, this.#me())) {
      const message = await this.#preview.read(stanza);
      if (this.#stopped) return;
      if (message !== 'unreadable') this.#seen.set(stanza.attrs['id'] ?? '', true);
      if (typeof message === 'object' && !(await this.#report(message))) return;
    }
    if (!this.#stopped) await this.#takeMessage(stanza);
  }

  /** Whether the worker has it. */
  async #report(message: InboundMessage): Promise<boolean> {
    if (this.#stopped) return false;
    try {
      await this.#reports.inbound(message);
      return true;
    } catch {
      // As with receipts.
      return false;
    }
  }

  #me(): { id: string; lid?: string } {
    const { id = '', lid } = this.#socket.authState.creds.me ?? {};
    return lid === undefined ? { id } : { id, lid };
  }
}
