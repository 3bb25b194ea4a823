/**
 * Links a device: shows the newest code until a phone uses it, stores the credentials, and only then confirms the link to
 * the network. So a store that refuses them leaves no half link on either side. Nothing is stored before.
 */
import type { ProxyFailure } from '@kurir/address-guard';
import type { CredentialChange, LinkAttempt, LinkEnd, LinkOptions } from '@kurir/network';
import {
  type AuthenticationState,
  type BinaryNode,
  configureSuccessfulPairing,
  initAuthCreds,
  type SignalDataSet,
  type WASocket,
} from 'baileys';
import { endSocket, openSocket, takeListener } from './baileys-socket.js';
import { closeOf } from './close-codes.js';
import { encodeRow, loginRow } from './device-rows.js';
import type { DriverSettings } from './driver-settings.js';
import { numberOfJid } from './jid.js';
import { onReferences, onRegistrationRefresh, requestPairingCode, withSecret } from './pairing-stanzas.js';

/** As WhatsApp Web does when no lifetime is set. */
const FIRST_QR_MS = 60_000;
const LATER_QR_MS = 20_000;

const PAIR_SUCCESS = 'CB:iq,,pair-success';
const TIMED_OUT = 408;

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
  #qr: string | null = null;
  #shownUntil = new Date(0);
  #references = 0;
  #proxyFailure: ProxyFailure | null = null;
  #shown = 0;
  /** The network asks for a restart after the link; it is not waited for longer than this. */
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
    if (method === 'pairing_code' && phoneNumber === undefined) {
      return this.#finish({ kind: 'failed', reason: 'phone_number_missing' });
    }
    try {
      this.#socket = openSocket({
        settings: this.#settings,
        auth: this.#auth,
        proxyUrl,
        onProxyFailure: (failure) => {
          this.#proxyFailure = failure;
        },
      });
      this.#listen(this.#socket);
    } catch (err) {
      this.#settings.log.warn({ err }, 'linking could not start');
      this.#finish({ kind: 'failed', reason: 'proxy_failed' });
    }
  }

  #listen(socket: WASocket): void {
    takeListener(socket, PAIR_SUCCESS);
    socket.ws.on(PAIR_SUCCESS, (stanza: BinaryNode) => void this.#paired(socket, stanza));
    onReferences(socket, (count) => {
      this.#references = count;
    });
    onRegistrationRefresh(socket, () => this.#showQr());
    socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr !== undefined) this.#nextQr(socket, qr);
      if (connection === 'close') this.#closed(lastDisconnect?.error);
    });
  }

  #nextQr(socket: WASocket, qr: string): void {
    this.#qr = qr;
    this.#shown += 1;
    this.#shownUntil = new Date(Date.now() + this.#lifetimeMs(this.#shown));
    if (this.#options.method === 'qr') return this.#showQr();
    if (this.#shown === 1) void this.#showPairingCode(socket);
  }

  #showQr(): void {
    if (this.#state !== 'waiting' || this.#qr === null || this.#options.method !== 'qr') return;
    this.#options.code(withSecret(this.#qr, this.#auth.creds.advSecretKey), this.#shownUntil);
  }

  async #showPairingCode(socket: WASocket): Promise<void> {
    const { phoneNumber = '' } = this.#options;
    try {
      const answer = await requestPairingCode(socket, phoneNumber, this.#settings.queryTimeoutMs);
      if (this.#state !== 'waiting') return;
      if ('error' in answer) return this.#finish({ kind: 'failed', reason: refusalOf(answer.error) });
      this.#options.code(answer.code, this.#attemptUntil());
    } catch {
      // The connection ended meanwhile; its end says how linking ended.
      endSocket(socket);
    }
  }

  #lifetimeMs(round: number): number {
    return this.#settings.qrLifetimeMs ?? (round === 1 ? FIRST_QR_MS : LATER_QR_MS);
  }

  /** The network drops the attempt, and a pairing code with it, when the last QR would have passed. */
  #attemptUntil(): Date {
    let until = this.#shownUntil.getTime();
    for (let round = this.#shown + 1; round <= this.#references; round += 1) until += this.#lifetimeMs(round);
    return new Date(until);
  }

  async #paired(socket: WASocket, stanza: BinaryNode): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'storing';
    const { creds } = this.#auth;
    try {
      const { reply, creds: update } = configureSuccessfulPairing(stanza, creds);
      Object.assign(creds, update);
      await this.#options.credentials.write([...this.#rows, loginRow(creds)]);
      this.#state = 'linked';
      await socket.sendNode(reply);
      this.#restart = setTimeout(() => endSocket(socket), this.#settings.queryTimeoutMs);
    } catch (err) {
      // Why it was refused is the store's to log. Unconfirmed, the network forgets the link; when the confirmation was
      // lost on the way, it may hold: connecting will tell.
      if (this.#state === 'storing') {
        this.#settings.log.warn({ err }, 'the credentials of a new link were not stored');
        return this.#finish({ kind: 'failed', reason: 'credentials_not_stored' });
      }
      endSocket(socket);
    }
  }

  /** After the confirmation the network asks for a restart (515) and closes. */
  #closed(error: unknown): void {
    if (this.#state === 'linked') {
      return this.#finish({ kind: 'linked', phoneNumber: numberOfJid(this.#auth.creds.me?.id) ?? '' });
    }
    // While the credentials are being stored, the store alone decides how linking ended.
    if (this.#state !== 'waiting') return;
    const proxyFailure = this.#references === 0 ? this.#proxyFailure : null;
    if (proxyFailure !== null) return this.#finish({ kind: 'failed', reason: proxyFailure });
    const { code } = closeOf(error, false);
    const allShown = this.#references > 0 && this.#shown >= this.#references;
    if (code === TIMED_OUT && allShown) return this.#finish({ kind: 'expired' });
    this.#finish({ kind: 'failed', reason: this.#references > 0 ? 'connection_lost' : failureOf(code) });
  }

  #collect(data: SignalDataSet): void {
    for (const [kind, values] of Object.entries(data)) {
      for (const [id, value] of Object.entries(values ?? {})) {
        this.#rows.push({ kind, id, value: value === null ? null : encodeRow(value) });
      }
    }
  }

  #finish(end: LinkEnd): void {
    this.#state = 'over';
    clearTimeout(this.#restart);
    if (this.#socket) endSocket(this.#socket);
    this.#resolve(end);
  }
}

function refusalOf(error: string | null): string {
  if (error === null) return 'network_unavailable';
  return error === '429' ? 'rate_limited_by_network' : 'rejected_by_network';
}

function failureOf(code: number | undefined): string {
  return code === 405 || code === 409 ? 'client_outdated' : 'network_unavailable';
}
