/**
 * Whether a number can be written to: is it on WhatsApp, and has it devices. Asked once per recipient and day, and kept
 * over restarts; a second message costs no question. Baileys itself would send to nobody and call it sent when the network did not answer.
 */
import type { SendOutcome } from '@kurir/network';
import type { WASocket } from 'baileys';
import { outcomeOfRefusedQuery } from './acknowledgement-errors.js';
import { jidOfNumber, userOfJid } from './jid.js';
import type { StoredCache } from './stored-cache.js';

/** One day, as WhatsApp Web trusts a device list; changes are announced, and Baileys then corrects the cache. */
export const KNOWN_FOR_MS = 24 * 3_600_000;
export const CACHED_RECIPIENTS = 1_000;

const NO_DEVICES_MS = 60_000;
const UNANSWERED_MS = 10_000;

const NOT_ON_NETWORK: SendOutcome = { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' };
const NO_DEVICES: SendOutcome = retryAfter(NO_DEVICES_MS, 'recipient_unavailable');
const UNANSWERED: SendOutcome = retryAfter(UNANSWERED_MS, 'temporarily_unavailable');

export type Found = { readonly kind: 'found'; readonly jid: string };

export class Recipients {
  readonly #socket: WASocket;
  readonly #devices: StoredCache<unknown>;
  /** Number to address. Not always the same digits: some countries have two ways to write a number. */
  readonly #addresses: StoredCache<string>;
  #asked = 0;

  /** `devices` is the cache that Baileys fills. */
  constructor(socket: WASocket, devices: StoredCache<unknown>, addresses: StoredCache<string>) {
    this.#socket = socket;
    this.#devices = devices;
    this.#addresses = addresses;
  }

  /** The address if it is known, else the one that the number makes. */
  addressOf(number: string): string {
    return this.#addresses.peek(number) ?? jidOfNumber(number);
  }

  /** Never rejects. Whatever it answers, nothing of the message was written. */
  async find(number: string): Promise<Found | SendOutcome> {
    try {
      return (await this.#known(number)) ?? (await this.#ask(number));
    } catch (error) {
      return outcomeOfRefusedQuery(error);
    }
  }

  /** The network says that what we know of this recipient's devices is wrong. */
  forget(number: string): void {
    this.#devices.del(userOfJid(this.addressOf(number)));
    this.#addresses.del(number);
  }

  async #known(number: string): Promise<Found | null> {
    const jid = await this.#addresses.get(number);
    if (jid === undefined || (await this.#devices.get(userOfJid(jid))) === undefined) return null;
    return { kind: 'found', jid };
  }

  async #ask(number: string): Promise<Found | SendOutcome> {
    this.#boundMappings();
    const answers = await this.#socket.onWhatsApp(jidOfNumber(number));
    if (answers === undefined) return UNANSWERED;
    const [answer] = answers;
    if (!answer?.exists) return NOT_ON_NETWORK;
    const { jid } = answer;
    const own = jidOfNumber(userOfJid(this.#socket.authState.creds.me?.id ?? ''));
    const devices = await this.#socket.getUSyncDevices([own, jid], true, false);
    if (!devices.some(({ user }) => user === userOfJid(jid))) return NO_DEVICES;
    await this.#socket.assertSessions(
      devices.filter((device) => !this.#isThisDevice(device.jid)).map((each) => each.jid),
    );
    this.#addresses.set(number, jid);
    return { kind: 'found', jid };
  }

  #isThisDevice(jid: string): boolean {
    const { me } = this.#socket.authState.creds;
    return jid === me?.id || jid === me?.lid;
  }

  /** Baileys keeps each contact's LID in memory for three days; `close` only empties that, it is read again when needed. */
  #boundMappings(): void {
    this.#asked += 1;
    if (this.#asked % CACHED_RECIPIENTS === 0) this.#socket.signalRepository.lidMapping.close();
  }
}

function retryAfter(retryAfterMs: number, reason: 'recipient_unavailable' | 'temporarily_unavailable'): SendOutcome {
  return { kind: 'not-sent', permanent: false, reason, retryAfterMs };
}
