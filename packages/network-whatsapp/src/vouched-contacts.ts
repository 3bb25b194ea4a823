/**
 * WhatsApp Web vouches for a contact with the first message of a week (a "trusted contact" token). So does Baileys
 * 7.0.0-rc14, but it loses its note of it, which it writes into a transaction that has ended: it would ask the network to
 * vouch again with every message. The note is made here instead, where Baileys looks for it.
 */
import type { AuthenticationState, WASocket } from 'baileys';

/** As Baileys counts (`shouldSendNewTcToken`): a new week of Unix time. */
const WEEK_SECONDS = 604_800;

export class VouchedContacts {
  readonly #socket: WASocket;
  readonly #keys: AuthenticationState['keys'];

  /** `keys`: the store itself, not Baileys' transactions on it. */
  constructor(socket: WASocket, keys: AuthenticationState['keys']) {
    this.#socket = socket;
    this.#keys = keys;
  }

  /** After a message to this contact was acknowledged. Never rejects. */
  async note(jid: string, now: number = Date.now()): Promise<void> {
    const senderTimestamp = Math.floor(now / 1_000);
    try {
      const contact = (await this.#socket.signalRepository.lidMapping.getLIDForPN(jid)) ?? jid;
      const { [contact]: noted } = await this.#keys.get('tctoken', [contact]);
      if (weekOf(noted?.senderTimestamp ?? 0) === weekOf(senderTimestamp)) return;
      const token = noted?.token ?? Buffer.alloc(0);
      await this.#keys.set({ tctoken: { [contact]: { ...noted, token, senderTimestamp } } });
    } catch {
      // A store that refuses has ended the session already; the note is made another time.
    }
  }
}

function weekOf(seconds: number): number {
  return Math.floor(seconds / WEEK_SECONDS);
}
