/**
 * Makes a message ready for the socket: finds the devices of both sides, opens missing Signal sessions, attaches a token,
 * encrypts, and stores to which address the message goes. Nothing is written to the network before that is stored.
 */
import type { OutgoingMessage, SendOutcome } from '@kurir/network';
import { type BinaryNode, jidDecode, jidEncode, jidNormalizedUser, type WASocket } from 'baileys';
import { isLid, isPhone, userOfJid } from '../jid.js';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { DeviceLists } from '../people/device-lists.js';
import type { DeviceSessions } from '../people/device-sessions.js';
import type { People } from '../people/people.js';
import type { Person, Try } from '../people/person.js';
import { sealText } from './message-stanza.js';
import { participantHash } from './participant-hash.js';
import { outcomeOfRefusedQuery, retryAfter } from './refusals.js';

const NO_DEVICES_MS = 60_000;
const UNANSWERED_MS = 10_000;
const BUSY_MS = 30_000;
const SOON_MS = 1_000;

export type Composed = {
  readonly kind: 'composed';
  readonly stanza: BinaryNode;
  /** Of this device and those that the message has copies for. */
  readonly participantHash: string;
};

export type ComposerParts = {
  readonly people: People;
  readonly devices: DeviceLists;
  readonly sessions: DeviceSessions;
  readonly tokens: ContactTokens;
};

export class Composer {
  readonly #socket: WASocket;
  readonly #parts: ComposerParts;

  constructor(socket: WASocket, parts: ComposerParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Never rejects. An outcome means that nothing was written. */
  async compose(message: OutgoingMessage, person: Person, next: Try): Promise<Composed | SendOutcome> {
    try {
      return await this.#compose(message, person, next);
    } catch (error) {
      return outcomeOfRefusedQuery(error);
    }
  }

  /** What the network says against the devices of a message: both sides are asked for anew. */
  forgetDevices(to: string): void {
    this.#parts.sessions.askBrokenAgain();
    this.#parts.devices.forget(to);
    this.#parts.devices.forget(this.#ownAccount(to));
  }

  async #compose(message: OutgoingMessage, person: Person, next: Try): Promise<Composed | SendOutcome> {
    const { devices, sessions } = this.#parts;
    const own = this.#ownAccount(next.to);
    const found = await devices.find([next.to, own]);
    if (found.kind !== 'found') return found;
    const theirs = found.of.get(next.to) ?? null;
    if (theirs === null) return retryAfter(BUSY_MS, 'temporarily_unavailable');
    if (theirs.length === 0) return retryAfter(NO_DEVICES_MS, 'recipient_unavailable');
    const ours = found.of.get(own) ?? [];
    const others = ours.filter((device) => !this.#isThisDevice(device));
    const open = await sessions.open([...theirs, ...others]);
    if (open === null) return retryAfter(UNANSWERED_MS, 'temporarily_unavailable');
    const reached = new Set(open);
    // A companion without keys is left out. The phone never is: it is where a person reads.
    if (theirs.some((device) => isPhone(device) && !reached.has(device))) {
      return retryAfter(BUSY_MS, 'temporarily_unavailable');
    }
    const copies = {
      theirs: theirs.filter((each) => reached.has(each)),
      own: others.filter((each) => reached.has(each)),
    };
    const stanza = await this.#seal(message, person, next, copies);
    if (stanza === null) return retryAfter(SOON_MS, 'temporarily_unavailable');
    return {
      kind: 'composed',
      stanza,
      participantHash: participantHash([...copies.theirs, ...copies.own, this.#thisDevice(own)]),
    };
  }

  /** Null when encrypting failed: the sessions are looked at anew with the next try. */
  async #seal(
    { networkMessageId: id, recipient, text }: OutgoingMessage,
    person: Person,
    next: Try,
    copies: { readonly theirs: readonly string[]; readonly own: readonly string[] },
  ): Promise<BinaryNode | null> {
    const { people, sessions, tokens } = this.#parts;
    const token = await tokens.nodeFor(person);
    const rows = await people.rowWithTry(recipient, id, next);
    try {
      return await sealText(this.#socket, { id, to: next.to, peerNumber: person.pn, text, token }, copies, rows);
    } catch {
      for (const device of [...copies.theirs, ...copies.own]) sessions.forget(device);
      return null;
    }
  }

  /** This account's address in the namespace of the other: the server refuses a message that mixes the two. */
  #ownAccount(other: string): string {
    const { id = '', lid = '' } = this.#socket.authState.creds.me ?? {};
    return jidNormalizedUser(isLid(other) ? lid : id);
  }

  #isThisDevice(jid: string): boolean {
    return jidDecode(jid)?.device === this.#deviceId();
  }

  #thisDevice(own: string): string {
    return jidEncode(userOfJid(own), isLid(own) ? 'lid' : 's.whatsapp.net', this.#deviceId());
  }

  #deviceId(): number | undefined {
    return jidDecode(this.#socket.authState.creds.me?.id ?? '')?.device;
  }
}
