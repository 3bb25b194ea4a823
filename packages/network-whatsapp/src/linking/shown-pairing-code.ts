/**
 * Shows the code that a person types into the phone, with the time at which it really expires. A code that the network
 * retires is replaced. The attempt ends if nobody uses the code in time. If a phone used the code shortly before, the
 * attempt waits a little longer.
 */
import type { LinkEnd, LinkFailure, LinkOptions } from '@kurir/network';
import type { WASocket } from 'baileys';
import { endSocket } from '../socket/baileys-socket.js';
import type { DriverSettings } from '../socket/driver-settings.js';
import type { CodeOnShow } from './link-notifications.js';
import { askForPairingCode, PairingCode } from './pairing-code.js';

/** How many codes one attempt shows. WhatsApp Web, too, stops after some codes until a person asks for the next. */
const MAX_CODES = 4;

export type ShownPairingCodeOptions = {
  readonly phoneNumber: string;
  readonly settings: Pick<DriverSettings, 'pairingCodeLifetimeMs' | 'queryTimeoutMs'>;
  readonly show: LinkOptions['code'];
  readonly ended: (end: LinkEnd) => void;
};

export class ShownPairingCode implements CodeOnShow {
  readonly #socket: WASocket;
  readonly #options: ShownPairingCodeOptions;
  /** Null until the network has accepted a code. */
  #code: PairingCode | null = null;
  #asked = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(socket: WASocket, options: ShownPairingCodeOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** References of QRs are not shown, so none is counted. */
  get count(): number {
    return 0;
  }

  /** Called when the network offers QRs. From then on it accepts the request for a code. */
  next(): void {
    if (this.#asked === 0) void this.#ask();
  }

  /** Does nothing: the code gives the secret, and another secret would undo it (oxidezap/whatsapp-rust #1163). */
  registrationRefreshed(): void {}

  refreshed(reference: Uint8Array, isManual: boolean): void {
    if (this.#isStopped || this.#code?.isOf(reference) !== true) return;
    if (isManual || this.#asked === MAX_CODES) return this.#end({ kind: 'expired' });
    void this.#ask();
  }

  used(reference: Uint8Array, stanzaId: string): boolean {
    return !this.#isStopped && this.#code?.isOf(reference) === true && this.#code.use(stanzaId);
  }

  refused(error: string): void {
    if (!this.#isStopped) this.#end({ kind: 'failed', reason: refusalOf(error) });
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { phoneNumber, settings } = this.#options;
    this.#asked += 1;
    this.#code = null;
    clearTimeout(this.#timer);
    try {
      const answer = await askForPairingCode(this.#socket, phoneNumber, settings.queryTimeoutMs);
      if (this.#isStopped) return;
      if (answer instanceof PairingCode) this.#showCode(answer);
      else this.#end({ kind: 'failed', reason: refusalOf(answer.error) });
    } catch {
      // The connection ended during the request. Its end decides how linking ends.
      endSocket(this.#socket);
    }
  }

  #showCode(code: PairingCode): void {
    const { settings, show } = this.#options;
    const until = new Date(code.madeAt + settings.pairingCodeLifetimeMs);
    this.#code = code;
    this.#timer = setTimeout(() => this.#passed(code), until.getTime() - Date.now());
    show(code.text, until);
  }

  #passed(code: PairingCode): void {
    const expired = (): void => this.#end({ kind: 'expired' });
    if (!code.isUsed) return expired();
    this.#timer = setTimeout(expired, this.#options.settings.queryTimeoutMs);
  }

  #end(end: LinkEnd): void {
    this.stop();
    this.#options.ended(end);
  }
}

function refusalOf(error: string | null): LinkFailure {
  if (error === null) return 'network_unavailable';
  return error === '429' ? 'rate_limited_by_network' : 'rejected_by_network';
}
