/**
 * Signal sessions with single devices: keys are fetched only for a device without a session. Baileys 7.0.0-rc14 makes a
 * new session at each look-up, so that its row grows for weeks, and one device without keys fails all of them.
 */
import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  parseAndInjectE2ESessions,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys';
import { BoundedCache } from '../socket/bounded-cache.js';
import { isPhone } from '../socket/jid.js';

const REMEMBERED_DEVICES = 2_000;
/** How long a companion whose keys cannot be had is left out without asking again. A phone never is. */
const BROKEN_FOR_MS = 3_600_000;

export class DeviceSessions {
  readonly #socket: WASocket;
  readonly #ready = new BoundedCache<true>(REMEMBERED_DEVICES);
  readonly #broken = new BoundedCache<true>(REMEMBERED_DEVICES, BROKEN_FOR_MS);

  constructor(socket: WASocket) {
    this.#socket = socket;
  }

  /**
   * Those of the devices that can be written to. A device is left out when the network has no keys of it. Rejects when
   * the network refuses the question; null when it does not answer.
   */
  async open(devices: readonly string[]): Promise<readonly string[] | null> {
    const missing: string[] = [];
    for (const device of devices) if (!this.#broken.has(device) && !(await this.#isReady(device))) missing.push(device);
    if (missing.length > 0 && !(await this.#fetch(missing))) return null;
    return devices.filter((device) => this.#ready.has(device));
  }

  /** The device says that it cannot read, or brought new keys. */
  forget(device: string): void {
    this.#ready.del(device);
    this.#broken.del(device);
  }

  /** A companion whose session makes nothing of a message. */
  leaveOut(device: string): void {
    this.#ready.del(device);
    this.#broken.set(device, true);
  }

  /** The network knows other devices than a message had: those that were left out get another chance. */
  askBrokenAgain(): void {
    this.#broken.flushAll();
  }

  /** A device that has to be asked for again: its keys are fetched even if there is a session. False: no keys. */
  async renew(device: string): Promise<boolean> {
    this.forget(device);
    return (await this.#fetch([device])) && this.#ready.has(device);
  }

  async #isReady(device: string): Promise<boolean> {
    if (this.#ready.has(device)) return true;
    const { exists } = await this.#socket.signalRepository.validateSession(device);
    if (exists) this.#ready.set(device, true);
    return exists;
  }

  async #fetch(devices: readonly string[]): Promise<boolean> {
    const users = devices.map((jid): BinaryNode => ({ tag: 'user', attrs: { jid } }));
    const attrs = { xmlns: 'encrypt', type: 'get', to: S_WHATSAPP_NET };
    const key: BinaryNode = { tag: 'key', attrs: {}, content: users };
    // It resolves with nothing when nobody answered; the type does not say so.
    const answer = (await this.#socket.query({ tag: 'iq', attrs, content: [key] })) as BinaryNode | undefined;
    if (answer === undefined) return false;
    const bundles = getBinaryNodeChildren(getBinaryNodeChild(answer, 'list'), 'user');
    for (const device of devices) {
      const bundle = bundles.find(({ attrs: { jid } }) => jid === device);
      if (bundle !== undefined && (await this.#inject(bundle))) this.#ready.set(device, true);
      else if (!isPhone(device)) this.#broken.set(device, true);
    }
    return true;
  }

  /** One at a time: Baileys' parser throws at the first bundle that is an error. */
  async #inject(bundle: BinaryNode): Promise<boolean> {
    const list: BinaryNode = { tag: 'list', attrs: {}, content: [bundle] };
    try {
      await parseAndInjectE2ESessions({ tag: 'iq', attrs: {}, content: [list] }, this.#socket.signalRepository);
      return true;
    } catch {
      // An error instead of keys, or keys that are none: this device is left out, the others go on.
      return false;
    }
  }
}
