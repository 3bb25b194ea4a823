/** The device under test in this package: a plain Baileys socket with its keys in memory. */
import {
  type BinaryNode,
  Browsers,
  BufferJSON,
  type AuthenticationCreds,
  type AuthenticationState,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  proto,
  type SignalDataTypeMap,
  type UserFacingSocketConfig,
  WA_CERT_DETAILS,
  type WAMessage,
  type WAMessageUpdate,
  type WASocket,
} from 'baileys';
import type { Phone, Relay } from '../src/index.js';
import { Sequence } from '../src/switchboard/sequence.js';

// libsignal 6.0.0 prints sessions with their private keys.
console.info = () => undefined;
console.warn = () => undefined;

type Keys = AuthenticationState['keys'];
export type Acknowledgement = {
  readonly id: string;
  readonly from?: string;
  readonly error?: string;
  readonly phash?: string;
  readonly refresh_lid?: string;
};
type Close = { readonly statusCode: number | undefined; readonly data: unknown };

/** The credentials of a device. A new socket with them logs in again. */
export class Credentials {
  readonly creds: AuthenticationCreds = initAuthCreds();
  private readonly rows = new Map<string, string>();

  readonly keys: Keys = {
    get: async (type, ids) => {
      const found: Record<string, SignalDataTypeMap[typeof type]> = {};
      for (const id of ids) {
        const row = this.rows.get(`${type}|${id}`);
        if (row !== undefined) found[id] = JSON.parse(row, BufferJSON.reviver);
      }
      return found;
    },
    set: async (data) => {
      for (const [type, rows] of Object.entries(data)) {
        for (const [id, value] of Object.entries(rows ?? {})) this.write(`${type}|${id}`, value);
      }
    },
  };

  /** Loses the Signal sessions. The companion cannot open the next messages and asks for them again. */
  forgetSessions(): void {
    for (const row of this.rows.keys()) if (row.startsWith('session|')) this.rows.delete(row);
  }

  private write(row: string, value: unknown): void {
    if (value === null || value === undefined) this.rows.delete(row);
    else this.rows.set(row, JSON.stringify(value, BufferJSON.replacer));
  }
}

export class Companion {
  readonly socket: WASocket;
  readonly states = new Sequence<Partial<ConnectionState>>('connection states');
  readonly acknowledgements = new Sequence<Acknowledgement>('acknowledgements');
  readonly updates = new Sequence<WAMessageUpdate>('message updates');
  readonly messages = new Sequence<WAMessage>('messages');
  readonly presences = new Sequence<{ readonly id: string; readonly state: string | undefined }>('presences');

  constructor(relay: Relay, credentials: Credentials, options: Partial<UserFacingSocketConfig> = {}) {
    WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(relay.rootPublicKey);
    this.socket = makeWASocket({
      auth: credentials,
      waWebSocketUrl: relay.url,
      logger: silent,
      browser: Browsers.windows('Chrome'),
      markOnlineOnConnect: false,
      syncFullHistory: false,
      emitOwnEvents: false,
      shouldSyncHistoryMessage: ({ syncType }) => syncType === proto.Message.HistorySyncType.PUSH_NAME,
      getMessage: async () => undefined,
      ...options,
    });
    this.watch();
  }

  opened(): Promise<unknown> {
    return this.states.when((state) => state.connection === 'open');
  }

  async qr(): Promise<string> {
    return (await this.states.when((state) => state.qr !== undefined)).qr ?? '';
  }

  async closed(deadlineMs?: number): Promise<Close> {
    const { lastDisconnect } = await this.states.when((state) => state.connection === 'close', deadlineMs);
    // Baileys closes with a Boom, but its types do not name it.
    const error = lastDisconnect?.error as { output?: { statusCode?: number }; data?: unknown } | undefined;
    return { statusCode: error?.output?.statusCode, data: error?.data };
  }

  /** Sends and waits for the server's acknowledgement. */
  async send(to: string, text: string, id: string): Promise<Acknowledgement> {
    await this.socket.sendMessage(`${to}@s.whatsapp.net`, { text }, { messageId: id });
    return this.acknowledged(id);
  }

  /** Sends a stanza unchanged. Resolves with the acknowledgement of its id. */
  async sendRaw(message: BinaryNode): Promise<Acknowledgement> {
    await this.socket.sendNode(message);
    return this.acknowledged(message.attrs['id'] ?? '');
  }

  acknowledged(id: string, deadlineMs?: number): Promise<Acknowledgement> {
    return this.acknowledgements.when((acknowledgement) => acknowledgement.id === id, deadlineMs);
  }

  status(id: string, status: WAMessageUpdate['update']['status']): Promise<WAMessageUpdate> {
    return this.updates.when(({ key, update }) => key.id === id && update.status === status);
  }

  async close(): Promise<void> {
    await this.socket.end(undefined);
  }

  private watch(): void {
    const { ev, ws } = this.socket;
    ev.on('connection.update', (state) => this.states.add(state));
    ev.on('messages.update', (updates) => updates.forEach((update) => this.updates.add(update)));
    ev.on('messages.upsert', ({ messages }) => messages.forEach((message) => this.messages.add(message)));
    ev.on('presence.update', ({ id, presences }) => {
      for (const presence of Object.values(presences)) this.presences.add({ id, state: presence.lastKnownPresence });
    });
    ws.on('CB:ack,class:message', (ack: { attrs: Acknowledgement }) => {
      this.acknowledgements.add(ack.attrs);
    });
  }
}

/**
 * Links by QR, sees the restart, and logs in. Plain Baileys writes to phone numbers, so the account must not be
 * migrated.
 */
export async function linkCompanion(
  relay: Relay,
  phone: Phone,
  credentials = new Credentials(),
  options: Partial<UserFacingSocketConfig> = {},
): Promise<Companion> {
  phone.setMigrated(false);
  const linking = new Companion(relay, credentials, options);
  await phone.scan(await linking.qr());
  await linking.closed();
  return logIn(relay, credentials, options);
}

export async function logIn(
  relay: Relay,
  credentials: Credentials,
  options: Partial<UserFacingSocketConfig> = {},
): Promise<Companion> {
  const companion = new Companion(relay, credentials, options);
  await companion.opened();
  return companion;
}

const silent = {
  level: 'silent',
  child: () => silent,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
};
