/**
 * The relay: a server on loopback that speaks WhatsApp's web protocol. It routes and never decrypts. It keeps
 * everything in memory until `close`. Two relays in one process are independent.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { Accounts } from '../devices/accounts.js';
import { createServerIdentity } from '../wire/certificate-chain.js';
import { Connection } from '../wire/connection.js';
import { Exchange } from './exchange.js';
import { ArmedFaults, type Faults } from '../switchboard/faults.js';
import { Journal } from '../switchboard/journal.js';
import { openMediaHost } from '../switchboard/media-host.js';
import { MinimumVersion } from '../switchboard/minimum-version.js';
import { Pairings } from '../linking/pairings.js';
import { createPhone, type Phone } from '../phone/phone.js';
import type { RememberedRelay } from './remembered.js';
import type { Switchboard } from '../switchboard/switchboard.js';

export type RelayOptions = {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** How many QR codes a new client gets, one after the other. Default 6, as on WhatsApp. */
  readonly qrCodes?: number;
  /**
   * Whether the relay refuses what the real server refuses: addresses, shapes and missing tokens (`rules/`). Default
   * true.
   */
  readonly strict?: boolean;
  /** The oldest version of the web client that may log in or register, such as `2.3000.1`. Default: any. */
  readonly minimumVersion?: string;
  /** How long a pairing code is valid. Default: as long as on WhatsApp. */
  readonly pairingCodeLifetimeMs?: number;
  /** The memory of another relay, to continue from. */
  readonly remembered?: RememberedRelay | undefined;
  /** Handles plain HTTP on the same port. Default: every request gets 404. */
  readonly onRequest?: RequestListener;
  /** Called with the error when a connection is dropped because it broke the protocol. Default: writes to stderr. */
  readonly onFailure?: (error: unknown) => void;
};

export interface Relay {
  /** The address for clients: `ws://127.0.0.1:port/ws/chat`. */
  readonly url: string;
  /** The root of the server's certificate chain, 32 bytes: Baileys' `WA_CERT_DETAILS.PUBLIC_KEY`. */
  readonly rootPublicKey: Uint8Array;
  /** `host:port` of the https server that keeps encrypted files. */
  readonly mediaAddress: string;
  /** The CA of the media host, PEM. */
  readonly mediaCertificate: string;
  readonly journal: Journal;
  readonly faults: Faults;
  /** The phone of this number, made if it is new. */
  createPhone(number: string): Promise<Phone>;
  /** All phones, in the order of their creation. */
  phones(): readonly Phone[];
  /** The phone of a number or of an address, if there is one. */
  findPhone(numberOrAddress: string): Phone | undefined;
  /** Retires the registration of a QR on display, as WhatsApp does since July 2026. */
  refreshRegistration(qr: string): void;
  /** From now on the server refuses older versions of the web client with 405. Throws for a malformed version. */
  setMinimumVersion(version: string): void;
  /** Invalidates the pairing code that a companion shows for this number, and tells the companion. */
  refreshPairingCode(number: string, options?: { readonly manual?: boolean; readonly times?: number }): void;
  /** Everything that a later relay needs to continue. */
  remember(): RememberedRelay;
  /** Ends every connection and stops listening. Safe to call twice. */
  close(): Promise<void>;
}

const chatPath = '/ws/chat';

export async function createRelay(options: RelayOptions = {}): Promise<Relay> {
  const { host = '127.0.0.1', port = 0, onRequest = notFound, onFailure = complain } = options;
  const minimumVersion = new MinimumVersion(options.minimumVersion);
  const identity = options.remembered?.identity ?? (await createServerIdentity());
  const journal = new Journal();
  const media = await openMediaHost(host, journal);
  const faults = new ArmedFaults();
  const board: Switchboard = {
    accounts: new Accounts(),
    journal,
    strict: options.strict ?? true,
    minimumVersion,
    faults,
    media,
  };
  const pairings = new Pairings({
    references: options.qrCodes,
    codeLifetimeMs: options.pairingCodeLifetimeMs,
    faults,
  });
  board.accounts.restore(options.remembered?.accounts ?? []);
  const exchange = new Exchange(board, pairings, onFailure);
  const http = createServer(onRequest);
  const sockets = new WebSocketServer({ server: http, path: chatPath });
  sockets.on('connection', (socket, request) => new Connection(socket, request.socket, identity, exchange));
  // The WebSocket server repeats the errors of the http server; `listen` reports them.
  sockets.on('error', () => undefined);
  const address = await listen(http, host, port).catch(async (error: unknown) => {
    await media.close();
    throw error;
  });
  return {
    url: `ws://${address}${chatPath}`,
    rootPublicKey: identity.rootPublicKey,
    mediaAddress: media.address,
    mediaCertificate: media.certificatePem,
    journal,
    faults,
    createPhone: async (number) => createPhone(board, pairings, await board.accounts.open(number)),
    phones: () => board.accounts.all().map((account) => createPhone(board, pairings, account)),
    findPhone: (wanted) => {
      const account = board.accounts.byWrittenNumber(wanted) ?? board.accounts.find(wanted);
      return account && createPhone(board, pairings, account);
    },
    refreshRegistration: (qr) => pairings.refresh(qr),
    setMinimumVersion: (version) => board.minimumVersion.raise(version),
    refreshPairingCode: (number, options = {}) => pairings.codes.refresh(number, options),
    remember: () => ({ identity, accounts: board.accounts.remember() }),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await Promise.all([media.close(), new Promise<void>((resolve) => http.close(() => resolve()))]);
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // A TCP server has an address object, not a pipe name.
  return `${host}:${(server.address() as AddressInfo).port}`;
}

function complain(error: unknown): void {
  console.error('whatsapp-relay: a connection was dropped:', error);
}

const notFound: RequestListener = (_request, response) => {
  response.writeHead(404).end();
};
