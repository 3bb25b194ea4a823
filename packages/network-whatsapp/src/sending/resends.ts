/**
 * Sends a message again to a device that could not decrypt it and asks for it with a receipt of type `retry`. Only the
 * recipient's devices and our own devices get the message, because anybody can ask for any id. Baileys 7.0.0-rc14 sends
 * a stanza that the server refuses (#2781), and knows recipients only by the number as the customer writes it.
 *
 * A receipt that arrives twice is answered twice, up to a limit. The receiver shows the message once.
 */
import type { ConnectOptions } from '@kurir/network';
import {
  type BinaryNode,
  extractE2ESessionFromRetryReceipt,
  getBinaryNodeChild,
  jidNormalizedUser,
  type WASocket,
} from 'baileys';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { DeviceSessions } from '../people/device-sessions.js';
import type { People } from '../people/people.js';
import { newPerson, type Person } from '../people/person.js';
import { ownAddressesOf } from '../socket/baileys-socket.js';
import { BoundedCache } from '../socket/bounded-cache.js';
import { numberOfJid, userOfJid } from '../socket/jid.js';
import { sealResend } from './message-stanza.js';
import { quoteOf } from './render-content.js';
import { isOwn } from './receipts.js';

/** WhatsApp's clients ask no more often. */
const MOST_RESENDS = 5;
const REMEMBERED_RESENDS = 500;
const REMEMBERED_FOR_MS = 3_600_000;

export type ResendParts = {
  readonly people: People;
  readonly sessions: DeviceSessions;
  readonly tokens: ContactTokens;
  readonly readMessage: ConnectOptions['readMessage'];
};

export class Resends {
  readonly #socket: WASocket;
  readonly #parts: ResendParts;
  readonly #counts = new BoundedCache<number>(REMEMBERED_RESENDS, REMEMBERED_FOR_MS);

  constructor(socket: WASocket, parts: ResendParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /**
   * Sends the message again to the device that asked, if it may have the message. Rejects when that fails; the device
   * then asks again.
   */
  async answer(receipt: BinaryNode): Promise<void> {
    const { id, from, participant } = receipt.attrs;
    const device = participant ?? from;
    if (id === undefined || device === undefined || !this.#mayAskAgain(id, device)) return;
    const sent = (await this.#parts.readMessage?.(id)) ?? null;
    if (sent === null) return;
    const person = await this.#personOf(sent);
    const isOurs = isOwn(device, ownAddressesOf(this.#socket));
    if (!isOurs && !(await this.#isRecipient(device, person))) return;
    if (!(await this.#openSession(receipt, device))) return;
    const writtenTo = isOurs ? (receipt.attrs['recipient'] ?? (await this.#parts.people.addressOf(person))) : null;
    const token = isOurs ? null : await this.#parts.tokens.nodeFor(person);
    const count = getBinaryNodeChild(receipt, 'retry')?.attrs['count'] ?? '1';
    const quote = quoteOf(this.#socket, sent.replyTo, writtenTo ?? jidNormalizedUser(device));
    const stanza = await sealResend(this.#socket, {
      id,
      device,
      content: sent.content,
      quote,
      count,
      writtenTo,
      token,
    });
    await this.#socket.sendNode(stanza);
  }

  #mayAskAgain(id: string, device: string): boolean {
    const key = `${id} ${device}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= MOST_RESENDS;
  }

  async #personOf({ recipient }: { readonly recipient: string }): Promise<Person> {
    return (await this.#parts.people.recall(recipient)) ?? newPerson(recipient);
  }

  /** Accepts any address of the device: the number as the network writes it, or the LID. */
  async #isRecipient(device: string, person: Person): Promise<boolean> {
    const user = userOfJid(device);
    if (numberOfJid(device) !== null) return user === userOfJid(person.pn);
    if (person.lid !== null && user === userOfJid(person.lid)) return true;
    const number = numberOfJid(await this.#socket.signalRepository.lidMapping.getPNForLID(device));
    return number !== null && number === userOfJid(person.pn);
  }

  /**
   * Opens the session with the keys in the receipt, or else with keys from the network. Returns false when there are
   * none.
   */
  async #openSession(receipt: BinaryNode, device: string): Promise<boolean> {
    const bundle = extractE2ESessionFromRetryReceipt(receipt);
    if (bundle === null) return this.#parts.sessions.renew(device);
    const { preKey, ...signed } = bundle;
    const session = preKey === undefined ? signed : { ...signed, preKey };
    await this.#socket.signalRepository.injectE2ESession({ jid: device, session });
    this.#parts.sessions.forget(device);
    return true;
  }
}
