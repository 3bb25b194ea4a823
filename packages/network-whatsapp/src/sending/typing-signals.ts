/**
 * Sends typing signals. WhatsApp shows them only from an account that is available, so the device is available while it
 * types, and no longer. An available companion keeps the phone from notifying its owner.
 */
import type { TypingAction } from '@kurir/network';
import type { WASocket } from 'baileys';
import type { People } from '../people/people.js';

/** WhatsApp's clients hide a typing signal after this time. */
const FADES_MS = 25_000;

export class TypingSignals {
  readonly #socket: WASocket;
  readonly #people: People;
  /** Addresses. */
  readonly #typingTo = new Set<string>();
  #fade: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(socket: WASocket, people: People) {
    this.#socket = socket;
    this.#people = people;
  }

  /**
   * Sends the signal to the address that a text would go to. Resolves when the connection accepted it, or when the
   * recipient is not found.
   */
  async signal(recipient: string, action: TypingAction): Promise<void> {
    const found = await this.#people.find(recipient);
    if (found.kind !== 'found') return;
    const jid = await this.#people.addressOf(found.person);
    // The connection may have ended during the look-up.
    if (this.#stopped) throw new Error('the session is not connected');
    if (action === 'start') await this.#start(jid);
    else await this.#stop(jid);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#fade);
    this.#typingTo.clear();
  }

  async #start(jid: string): Promise<void> {
    const wasAvailable = this.#typingTo.size > 0;
    this.#typingTo.add(jid);
    clearTimeout(this.#fade);
    this.#fade = setTimeout(() => void this.#fadeAll(), FADES_MS);
    if (!wasAvailable) await this.#socket.sendPresenceUpdate('available');
    await this.#socket.sendPresenceUpdate('composing', jid);
  }

  async #stop(jid: string): Promise<void> {
    await this.#socket.sendPresenceUpdate('paused', jid);
    if (this.#typingTo.delete(jid) && this.#typingTo.size === 0) await this.#leave();
  }

  async #fadeAll(): Promise<void> {
    this.#typingTo.clear();
    // A connection that has ended shows nobody as available.
    await this.#leave().catch(() => undefined);
  }

  #leave(): Promise<void> {
    clearTimeout(this.#fade);
    return this.#socket.sendPresenceUpdate('unavailable');
  }
}
