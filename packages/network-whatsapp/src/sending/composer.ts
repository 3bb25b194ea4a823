/**
 * Prepares a message for the socket. Finds the devices of both sides, opens missing Signal sessions, attaches a token,
 * encrypts, and stores the address of the try. Nothing is written to the network before the address is stored.
 */
import type { OutgoingMessage, SendOutcome } from '@kurir/network';
import { type BinaryNode, jidDecode, jidEncode, type WASocket } from 'baileys';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { DeviceLists } from '../people/device-lists.js';
import type { DeviceSessions } from '../people/device-sessions.js';
import type { People } from '../people/people.js';
import type { Person, Try } from '../people/person.js';
import { ownAccountLike } from '../socket/baileys-socket.js';
import type { DriverLog } from '../socket/driver-log.js';
import { isLid, isPhone, userOfJid } from '../socket/jid.js';
import { BUSY_MS, outcomeOfRefusedQuery, retryAfter, SOON_MS, UNANSWERED_MS } from '../socket/refusals.js';
import { type Copies, NotEncrypted, sealMessage } from './message-stanza.js';
import { participantHash } from './participant-hash.js';
import { quoteOf } from './render-content.js';

const NO_DEVICES_MS = 60_000;

export type Composed = {
  readonly kind: 'composed';
  readonly stanza: BinaryNode;
  /** The hash of this device and of the devices that get a copy. */
  readonly participantHash: string;
};

export type ComposerParts = {
  readonly people: People;
  readonly devices: DeviceLists;
  readonly sessions: DeviceSessions;
  readonly tokens: ContactTokens;
  readonly log: DriverLog;
};

export class Composer {
  readonly #socket: WASocket;
  readonly #parts: ComposerParts;

  constructor(socket: WASocket, parts: ComposerParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Never rejects. A `SendOutcome` means that nothing was written. */
  async compose(message: OutgoingMessage, person: Person, next: Try): Promise<Composed | SendOutcome> {
    try {
      return await this.#compose(message, person, next);
    } catch (error) {
      return outcomeOfRefusedQuery(error, this.#parts.log);
    }
  }

  /**
   * Forgets the devices of both sides, so that the next message asks for them again. Call it when the network knows
   * other devices than a message had.
   */
  forgetDevices(to: string): void {
    this.#parts.sessions.askBrokenAgain();
    this.#parts.devices.forget(to);
    this.#parts.devices.forget(ownAccountLike(this.#socket, to));
  }

  async #compose(message: OutgoingMessage, person: Person, next: Try): Promise<Composed | SendOutcome> {
    const own = ownAccountLike(this.#socket, next.to);
    const found = await this.#parts.devices.find([next.to, own]);
    if (found.kind !== 'found') return found;
    const theirs = found.of.get(next.to) ?? null;
    if (theirs === null) return retryAfter(BUSY_MS, 'temporarily_unavailable');
    if (theirs.length === 0) return retryAfter(NO_DEVICES_MS, 'recipient_unavailable');
    // A message to the own account goes to its other devices.
    const wanted: Copies = {
      theirs: this.#withoutThisDevice(theirs),
      own: next.to === own ? [] : this.#withoutThisDevice(found.of.get(own) ?? []),
    };
    const open = await this.#parts.sessions.open([...wanted.theirs, ...wanted.own]);
    if (open === null) return retryAfter(UNANSWERED_MS, 'temporarily_unavailable');
    const copies = { theirs: kept(wanted.theirs, open), own: kept(wanted.own, open) };
    // A companion without keys is left out. The phone never is, because a person reads there.
    if (wanted.theirs.some((device) => isPhone(device) && !copies.theirs.includes(device))) {
      return retryAfter(BUSY_MS, 'temporarily_unavailable');
    }
    const stanza = await this.#seal(message, person, next, copies);
    if (stanza === null) return retryAfter(SOON_MS, 'temporarily_unavailable');
    const reached = [...copies.theirs, ...copies.own, this.#thisDevice(own)];
    return { kind: 'composed', stanza, participantHash: participantHash(reached) };
  }

  /**
   * Null when a message could not be encrypted for a device. With the next try, the device gets a new session or is
   * left out.
   */
  async #seal(
    { networkMessageId: id, recipient, content, replyTo }: OutgoingMessage,
    person: Person,
    next: Try,
    copies: Copies,
  ): Promise<BinaryNode | null> {
    const { people, sessions, tokens, log } = this.#parts;
    const token = await tokens.nodeFor(person);
    const rows = await people.rowWithTry(recipient, id, next);
    const quote = quoteOf(this.#socket, replyTo, next.to);
    const peerNumber = isLid(person.pn) ? null : person.pn;
    try {
      return await sealMessage(this.#socket, { id, to: next.to, peerNumber, content, quote, token }, copies, rows);
    } catch (error) {
      if (!(error instanceof NotEncrypted)) throw error;
      log.warn({ err: error }, 'a device could not be encrypted for');
      if (isPhone(error.device)) await sessions.renew(error.device);
      else sessions.leaveOut(error.device);
      return null;
    }
  }

  #withoutThisDevice(devices: readonly string[]): readonly string[] {
    const { id = '', lid = '' } = this.#socket.authState.creds.me ?? {};
    const isThis = (jid: string): boolean => [id, lid].some((own) => isSameDevice(own, jid));
    return devices.filter((device) => !isThis(device));
  }

  #thisDevice(own: string): string {
    return jidEncode(userOfJid(own), isLid(own) ? 'lid' : 's.whatsapp.net', this.#deviceId());
  }

  #deviceId(): number | undefined {
    return jidDecode(this.#socket.authState.creds.me?.id ?? '')?.device;
  }
}

const kept = (devices: readonly string[], open: readonly string[]) => devices.filter((device) => open.includes(device));

function isSameDevice(one: string, other: string): boolean {
  return userOfJid(one) === userOfJid(other) && (jidDecode(one)?.device ?? 0) === (jidDecode(other)?.device ?? 0);
}
