/** Shows QR texts one after the other, each for its lifetime. The network may retire their secret at any time. */
import { randomBytes } from 'node:crypto';
import type { LinkOptions } from '@kurir/network';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type WASocket } from 'baileys';
import type { CodeOnShow } from './link-notifications.js';

/** The lifetimes of WhatsApp Web, for when none is set. */
const FIRST_QR_MS = 60_000;
const LATER_QR_MS = 20_000;
const SECRET_BYTES = 32;

/** Calls `offered` with the number of QR texts that the network will accept, one after the other. */
export function onReferences(socket: WASocket, offered: (count: number) => void): void {
  socket.ws.on('CB:iq,type:set,pair-device', (stanza: BinaryNode) => {
    offered(getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref').length);
  });
}

export class ShownQr implements CodeOnShow {
  readonly #socket: WASocket;
  readonly #lifetimeMs: number | null;
  readonly #show: LinkOptions['code'];
  #qr: string | null = null;
  #until = new Date(0);
  #count = 0;
  #isStopped = false;

  constructor(socket: WASocket, lifetimeMs: number | null, show: LinkOptions['code']) {
    this.#socket = socket;
    this.#lifetimeMs = lifetimeMs;
    this.#show = show;
  }

  /** How many references of the network were shown. */
  get count(): number {
    return this.#count;
  }

  next(qr: string): void {
    this.#qr = qr;
    this.#count += 1;
    const lifetimeMs = this.#lifetimeMs ?? (this.#count === 1 ? FIRST_QR_MS : LATER_QR_MS);
    this.#until = new Date(Date.now() + lifetimeMs);
    this.#showQr();
  }

  registrationRefreshed(): void {
    this.#socket.authState.creds.advSecretKey = randomBytes(SECRET_BYTES).toString('base64');
    this.#showQr();
  }

  refreshed(): void {
    // Only a typed code has its own reference.
  }

  used(): boolean {
    return false;
  }

  refused(): void {
    // A phone's use of a QR needs no answer that the network could refuse.
  }

  stop(): void {
    this.#isStopped = true;
  }

  #showQr(): void {
    if (this.#isStopped || this.#qr === null) return;
    this.#show(withSecret(this.#qr, this.#socket.authState.creds.advSecretKey), this.#until);
  }
}

/**
 * The QR text with the current secret; Baileys keeps the first one. Fields after `#`: reference, noise key, identity
 * key, secret, platform.
 */
function withSecret(qr: string, advSecretKey: string): string {
  const [base = '', fields = ''] = qr.split('#');
  const [reference, noiseKey, identityKey, , ...rest] = fields.split(',');
  return `${base}#${[reference, noiseKey, identityKey, advSecretKey, ...rest].join(',')}`;
}
