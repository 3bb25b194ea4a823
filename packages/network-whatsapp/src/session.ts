/** One live connection of a linked device, from reading its credentials to its end. It never reconnects by itself. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ProxyFailure } from '@kurir/address-guard';
import type {
  Chat,
  ConnectOptions,
  OutgoingMessage,
  ReadMark,
  SendOutcome,
  Session,
  SessionEnd,
  TypingAction,
} from '@kurir/network';
import { S_WHATSAPP_NET } from 'baileys';
import { type Connection, openConnection } from './connection.js';
import { NOT_CONNECTED } from './sending/outgoing-messages.js';
import { markRead } from './sending/read-marks.js';
import { endSocket } from './socket/baileys-socket.js';
import { closeOf, sessionEndOf } from './socket/close-codes.js';
import type { DriverSettings } from './socket/driver-settings.js';
import { DeviceState } from './store/device-state.js';
import { endOfStoreTrouble } from './store/store-trouble.js';

/** How long the end of a session waits for writes of keys that are still running. */
const LAST_WRITES_MS = 2_000;

const LOGGED_OUT: SessionEnd = { reason: 'logged_out', next: 'relink' };

const endOfProxy = (reason: ProxyFailure): SessionEnd => ({ reason, next: 'reconnect' });

export class WhatsappSession implements Session {
  readonly #settings: DriverSettings;
  readonly #options: ConnectOptions;
  readonly #over: Promise<SessionEnd>;
  #markOver: (end: SessionEnd) => void = () => undefined;
  #state: 'connecting' | 'connected' | 'ending' | 'ended' = 'connecting';
  #wasConnected = false;
  #proxyFailure: ProxyFailure | null = null;
  /** Set when the driver ends the session, not the network. */
  #ownEnd: SessionEnd | null = null;
  #device: DeviceState | null = null;
  #connection: Connection | null = null;
  #logout: Promise<void> | null = null;

  constructor(settings: DriverSettings, options: ConnectOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#over = new Promise((resolve) => {
      this.#markOver = resolve;
    });
    void this.#open();
  }

  send(message: OutgoingMessage): Promise<SendOutcome> {
    if (this.#state !== 'connected' || !this.#connection) return Promise.resolve(NOT_CONNECTED);
    return this.#connection.outgoing.send(message);
  }

  async typing(recipient: string, action: TypingAction): Promise<void> {
    await this.#connected().typing.signal(recipient, action);
  }

  async markRead(chat: Chat, messages: readonly ReadMark[]): Promise<void> {
    const { socket, people } = this.#connected();
    await markRead(socket, people, chat, messages);
  }

  logout(): Promise<void> {
    this.#logout ??= this.#logOut().finally(() => {
      this.#logout = null;
    });
    return this.#logout;
  }

  async close(): Promise<void> {
    this.#endWith({ reason: 'closed_by_us', next: 'none' });
    await this.#over;
  }

  async #open(): Promise<void> {
    try {
      this.#device = await DeviceState.read(this.#options.credentials, (error) => this.#storeFailed(error));
    } catch (error) {
      return this.#storeFailed(error);
    }
    if (this.#state !== 'connecting') return;
    if (this.#device === null) return this.#endWith({ reason: 'credentials_invalid', next: 'relink' });
    try {
      this.#connection = this.#connect(this.#device);
    } catch (err) {
      this.#settings.log.warn({ err, deviceId: this.#options.deviceId }, 'the session could not start');
      this.#endWith(endOfProxy('proxy_failed'));
    }
  }

  #connect(device: DeviceState): Connection {
    const { events } = this.#options;
    const connection = openConnection(this.#settings, device, this.#options, {
      receipt: (receipt) => events.receipt(receipt),
      inbound: (report) => events.inbound(report),
      identified: async (identified) => events.identified?.(identified),
      proxyFailed: (failure) => {
        this.#proxyFailure = failure;
      },
      limits: (limits) => {
        // The answer to a query may still arrive after the session has ended.
        if (this.#state === 'connected') events.limits?.(limits);
      },
      // The network does not repeat an acknowledgement. If the handler fails, the message stays `unknown` or is sent
      // again.
      acknowledged: (acknowledgement) => void events.acknowledged(acknowledgement).catch(() => undefined),
    });
    const { ev } = connection.socket;
    ev.on('creds.update', () => void device.saveLogin());
    ev.on('connection.update', ({ connection: state, lastDisconnect }) => {
      if (state === 'open') this.#opened(connection);
      if (state === 'close') void this.#finish(this.#ownEnd ?? this.#endOf(lastDisconnect?.error));
    });
    return connection;
  }

  #opened({ limits }: Connection): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'connected';
    this.#wasConnected = true;
    this.#options.events.connected();
    void limits.ask();
  }

  #connected(): Connection {
    if (this.#state !== 'connected' || !this.#connection) throw new Error('the session is not connected');
    return this.#connection;
  }

  /** Baileys' own logout does not wait for the network's confirmation. */
  async #logOut(): Promise<void> {
    const { socket } = this.#connected();
    const unlink = { tag: 'remove-companion-device', attrs: { jid: socket.user?.id ?? '', reason: 'user_initiated' } };
    const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md', id: socket.generateMessageTag() };
    const answered = socket
      .query({ tag: 'iq', attrs, content: [unlink] }, this.#settings.ackTimeoutMs)
      .then((answer): SessionEnd | null => (answer === undefined ? null : LOGGED_OUT));
    // The connection may end as logged out before the answer is read. A query without a connection rejects.
    answered.catch(() => undefined);
    const end = await Promise.race([answered, this.#over]);
    if (end?.reason !== 'logged_out') throw new Error('the network did not confirm the logout');
    this.#endWith(end);
  }

  #storeFailed(error: unknown): void {
    this.#settings.log.warn(
      { err: error, deviceId: this.#options.deviceId },
      'credentials could not be read or written',
    );
    this.#endWith(endOfStoreTrouble(error));
  }

  #endOf(error: unknown): SessionEnd {
    if (this.#proxyFailure !== null && !this.#wasConnected) return endOfProxy(this.#proxyFailure);
    return sessionEndOf(closeOf(error, this.#wasConnected));
  }

  #endWith(end: SessionEnd): void {
    if (this.#ownEnd !== null || this.#state === 'ended') return;
    this.#ownEnd = end;
    this.#state = 'ending';
    if (this.#connection) endSocket(this.#connection.socket);
    else void this.#finish(end);
  }

  async #finish(end: SessionEnd): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#connection?.stop();
    // The keys of a message that was just written are committed in this turn of the event loop.
    await nextTurn();
    const waiting = new AbortController();
    const tooLong = sleep(LAST_WRITES_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.#device?.close(), tooLong]);
    waiting.abort();
    // The callers of `send` handle their outcomes first.
    await nextTurn();
    this.#options.events.ended(end);
    this.#markOver(end);
  }
}
