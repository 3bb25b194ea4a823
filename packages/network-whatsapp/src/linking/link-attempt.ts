/**
 * Links a device. Shows the newest code until a phone uses it, stores the credentials, and only then confirms the link
 * to the network. So a store that rejects them leaves no half link on either side. Nothing is stored before the phone
 * used the code.
 */
import type { ProxyFailure } from '@kurir/address-guard';
import type { CredentialChange, LinkAttempt, LinkEnd, LinkFailure, LinkOptions } from '@kurir/network';
import { type AuthenticationState, type BinaryNode, initAuthCreds, type SignalDataSet, type WASocket } from 'baileys';
import { endSocket, openSocket, takeListener } from '../socket/baileys-socket.js';
import { closeOf } from '../socket/close-codes.js';
import type { DriverSettings } from '../socket/driver-settings.js';
import { numberOfJid } from '../socket/jid.js';
import { encodeRow, loginRow } from '../store/device-rows.js';
import { onLinkNotifications } from './link-notifications.js';
import { addressingRow, readPairing, refusalOfIdentity } from './pair-success.js';
import { ShownPairingCode } from './shown-pairing-code.js';
import { onReferences, ShownQr } from './shown-qr.js';

const PAIR_SUCCESS = 'CB:iq,,pair-success';
const TIMED_OUT = 408;

/**
 * Baileys ends the connection when the QRs are used up. A pairing code lives longer than that (oxidezap/whatsapp-rust
 * #1163).
 */
const BEYOND_ANY_CODE_MS = 3_600_000;

export class WhatsappLinkAttempt implements LinkAttempt {
  readonly end: Promise<LinkEnd>;
  readonly #settings: DriverSettings;
  readonly #options: LinkOptions;
  readonly #rows: CredentialChange[] = [];
  readonly #auth: AuthenticationState = {
    creds: initAuthCreds(),
    keys: { get: () => ({}), set: (data) => this.#collect(data) },
  };
  #resolve: (end: LinkEnd) => void = () => undefined;
  #state: 'waiting' | 'storing' | 'linked' | 'over' = 'waiting';
  #socket: WASocket | null = null;
  #shown: ShownQr | ShownPairingCode | null = null;
  #references = 0;
  #proxyFailure: ProxyFailure | null = null;
  /** Ends the wait for the restart that the network asks for after the link. */
  #restart: NodeJS.Timeout | undefined;

  constructor(settings: DriverSettings, options: LinkOptions) {
    this.#settings = settings;
    this.#options = options;
    this.end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#open();
  }

  cancel(): void {
    if (this.#state === 'waiting') this.#finish({ kind: 'cancelled' });
  }

  #open(): void {
    const { method, phoneNumber, proxyUrl } = this.#options;
    if (method === 'pairing_code' && phoneNumber === undefined) return this.#fail('phone_number_missing');
    try {
      this.#socket = openSocket({
        settings: this.#settings,
        auth: this.#auth,
        proxyUrl,
        onProxyFailure: (failure) => {
          this.#proxyFailure = failure;
        },
        ...(method === 'qr' ? {} : { config: { qrTimeout: BEYOND_ANY_CODE_MS } }),
      });
      this.#listen(this.#socket, phoneNumber);
    } catch (err) {
      this.#settings.log.warn({ err }, 'linking could not start');
      this.#fail('proxy_failed');
    }
  }

  #listen(socket: WASocket, phoneNumber: string | undefined): void {
    const shown = this.#show(socket, phoneNumber);
    this.#shown = shown;
    takeListener(socket, PAIR_SUCCESS);
    socket.ws.on(PAIR_SUCCESS, (stanza: BinaryNode) => void this.#paired(socket, stanza));
    onReferences(socket, (count) => {
      this.#references = count;
    });
    onLinkNotifications(socket, shown, () => {
      if (this.#state === 'waiting') this.#fail('passkey_required');
    });
    socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr !== undefined) shown.next(qr);
      if (connection === 'close') this.#closed(lastDisconnect?.error);
    });
  }

  #show(socket: WASocket, phoneNumber = ''): ShownQr | ShownPairingCode {
    const { method, code: show } = this.#options;
    if (method === 'qr') return new ShownQr(socket, this.#settings.qrLifetimeMs, show);
    return new ShownPairingCode(socket, {
      phoneNumber,
      settings: this.#settings,
      show,
      ended: (end) => this.#finish(end),
    });
  }

  async #paired(socket: WASocket, stanza: BinaryNode): Promise<void> {
    if (this.#state !== 'waiting') return;
    const pairing = readPairing(stanza, this.#auth.creds);
    if (pairing === null) {
      this.#settings.log.warn({}, 'the identity of a new link is not authentic');
      // The attempt ends in any case. If the connection is gone, the network needs no refusal.
      socket.sendNode(refusalOfIdentity(stanza)).catch(() => undefined);
      return this.#fail('identity_not_authentic');
    }
    this.#state = 'storing';
    this.#shown?.stop();
    Object.assign(this.#auth.creds, pairing.creds);
    try {
      await this.#options.credentials.write([...this.#rows, loginRow(this.#auth.creds), addressingRow(stanza)]);
    } catch (err) {
      // The store logs why it rejected them. The network forgets a link that is not confirmed.
      this.#settings.log.warn({ err }, 'the credentials of a new link were not stored');
      return this.#fail('credentials_not_stored');
    }
    await this.#confirm(socket, pairing.reply);
  }

  /** If the confirmation is lost on the way, the link may still hold. The next connection shows it. */
  async #confirm(socket: WASocket, reply: BinaryNode): Promise<void> {
    this.#state = 'linked';
    try {
      await socket.sendNode(reply);
      this.#restart = setTimeout(() => endSocket(socket), this.#settings.queryTimeoutMs);
    } catch (error) {
      // A connection that has ended sends no second `close`.
      this.#closed(error);
    }
  }

  /** After the confirmation the network asks for a restart (515) and closes the connection. */
  #closed(error: unknown): void {
    if (this.#state === 'linked') {
      return this.#finish({ kind: 'linked', phoneNumber: numberOfJid(this.#auth.creds.me?.id) ?? '' });
    }
    // While the credentials are being stored, only the store decides how linking ends.
    if (this.#state !== 'waiting') return;
    const proxyFailure = this.#references === 0 ? this.#proxyFailure : null;
    if (proxyFailure !== null) return this.#fail(proxyFailure);
    const { code } = closeOf(error, false);
    const allShown = this.#references > 0 && (this.#shown?.count ?? 0) >= this.#references;
    if (code === TIMED_OUT && allShown) return this.#finish({ kind: 'expired' });
    this.#fail(this.#references > 0 ? 'connection_lost' : failureOf(code));
  }

  #collect(data: SignalDataSet): void {
    for (const [kind, values] of Object.entries(data)) {
      for (const [id, value] of Object.entries(values ?? {})) {
        this.#rows.push({ kind, id, value: value === null ? null : encodeRow(value) });
      }
    }
  }

  #fail(reason: LinkFailure): void {
    this.#finish({ kind: 'failed', reason });
  }

  #finish(end: LinkEnd): void {
    this.#state = 'over';
    clearTimeout(this.#restart);
    this.#shown?.stop();
    if (this.#socket) endSocket(this.#socket);
    this.#resolve(end);
  }
}

function failureOf(code: number | undefined): LinkFailure {
  if (code === 429) return 'rate_limited_by_network';
  return code === 405 || code === 409 ? 'client_outdated' : 'network_unavailable';
}
