/**
 * Signal sessions with single devices. Keys are fetched only for a device without a session. Baileys 7.0.0-rc14 makes a
 * new session at each look-up, so that the row grows for weeks. There, one device without keys also fails all others.
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
/** How long a companion without usable keys is left out before the driver asks again. A phone is never left out. */
const BROKEN_FOR_MS = 3_600_000;

export class DeviceSessions {
  readonly #socket: WASocket;
  readonly #ready = new BoundedCache<true>(REMEMBERED_DEVICES);
  readonly #broken = new BoundedCache<true>(REMEMBERED_DEVICES, BROKEN_FOR_MS);

  constructor(socket: WASocket) {
    this.#socket = socket;
  }

  /**
   * Returns the devices that can be written to. A device is left out when the network has no keys for it. Null when the
   * network does not answer. Rejects when the network refuses the query.
   */
  async open(devices: readonly string[]): Promise<readonly string[] | null> {
    const missing: string[] = [];
    for (const device of devices) if (!this.#broken.has(device) && !(await this.#isReady(device))) missing.push(device);
    if (missing.length > 0 && !(await this.#fetch(missing))) return null;
    return devices.filter((device) => this.#ready.has(device));
  }

  /** Call it when a device says that it cannot decrypt, or sends new keys. */
  forget(device: string): void {
    this.#ready.del(device);
    this.#broken.del(device);
  }

  /** Call it for a companion whose session cannot encrypt a message. */
  leaveOut(device: string): void {
    this.#ready.del(device);
    this.#broken.set(device, true);
  }

  /**
   * Gives devices that were left out another chance. Call it when the network knows other devices than a message had.
   */
  askBrokenAgain(): void {
    this.#broken.flushAll();
  }

  /** Fetches the keys of a device, even if it has a session. Returns false when there are none. */
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
    // The query resolves with undefined when nobody answered, contrary to its type.
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

  /** One bundle at a time: Baileys' parser throws at the first bundle that is an error. */
  async #inject(bundle: BinaryNode): Promise<boolean> {
    const list: BinaryNode = { tag: 'list', attrs: {}, content: [bundle] };
    try {
      await parseAndInjectE2ESessions({ tag: 'iq', attrs: {}, content: [list] }, this.#socket.signalRepository);
      return true;
    } catch {
      // The bundle is an error or has invalid keys. This device is left out; the others continue.
      return false;
    }
  }
}
