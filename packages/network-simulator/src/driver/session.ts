/**
 * One live connection of a linked device. Reads the token, logs in, then sends and reports until it ends. It never
 * reconnects by itself. It sends `settle` for a receipt or an inbound message after the worker's handler resolved.
 */
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
import type { DeviceFrame, NetworkFrame } from '../protocol/frames.js';
import { PROTOCOL_VERSION } from '../protocol/frames.js';
import { numberOf, reportOf } from '../protocol/person-report.js';
import { TOKEN_ID, TOKEN_KIND } from './credentials.js';
import { DeviceSocket } from './device-socket.js';
import type { DriverSettings } from './driver-settings.js';
import { PendingSends } from './pending-sends.js';
import { sessionEndOf } from './session-end.js';

/** Nothing was written, so the network cannot have the message. */
const NOT_CONNECTED: SendOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 1_000,
};

type Logout = {
  readonly promise: Promise<void>;
  readonly deadline: number;
  resolve(): void;
  reject(error: Error): void;
};

export class SimulatorSession implements Session {
  readonly #settings: DriverSettings;
  readonly #options: ConnectOptions;
  readonly #pending: PendingSends;
  readonly #connectBy: number;
  readonly #onTick = (now: number): void => this.#tick(now);
  readonly #over: Promise<void>;
  #markOver: () => void = () => undefined;
  #socket: DeviceSocket | null = null;
  #state: 'connecting' | 'connected' | 'closing' | 'ended' = 'connecting';
  #logout: Logout | null = null;

  constructor(settings: DriverSettings, options: ConnectOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#pending = new PendingSends(settings.ackTimeoutMs);
    this.#connectBy = performance.now() + settings.connectTimeoutMs;
    this.#over = new Promise((resolve) => {
      this.#markOver = resolve;
    });
    settings.ticker.add(this.#onTick);
    void this.#open();
  }

  send({ networkMessageId, recipient, content }: OutgoingMessage): Promise<SendOutcome> {
    if (this.#state !== 'connected') return Promise.resolve(NOT_CONNECTED);
    const outcome = this.#pending.add(networkMessageId);
    this.#socket?.send({ t: 'send', id: networkMessageId, to: numberOf(recipient), text: content.text });
    return outcome;
  }

  typing(recipient: string, action: TypingAction): Promise<void> {
    return this.#write({ t: 'typing', to: numberOf(recipient), action });
  }

  async markRead(_chat: Chat, messages: readonly ReadMark[]): Promise<void> {
    if (this.#state !== 'connected') throw new Error('the session is not connected');
    const idsOf = new Map<string, string[]>();
    for (const { networkMessageId, userId } of messages)
      idsOf.set(userId, [...(idsOf.get(userId) ?? []), networkMessageId]);
    await Promise.all([...idsOf].map(([userId, ids]) => this.#write({ t: 'read', to: numberOf(userId), ids })));
  }

  logout(): Promise<void> {
    if (this.#logout) return this.#logout.promise;
    if (this.#state !== 'connected') return Promise.reject(new Error('the session is not connected'));
    let callbacks: Pick<Logout, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
    const promise = new Promise<void>((resolve, reject) => {
      callbacks = { resolve, reject };
    });
    this.#logout = { promise, deadline: performance.now() + this.#settings.ackTimeoutMs, ...callbacks };
    this.#socket?.send({ t: 'logout' });
    return promise;
  }

  close(): Promise<void> {
    if (this.#state === 'connecting') this.#finish({ reason: 'closed_by_us', next: 'none' });
    if (this.#state === 'connected') {
      this.#state = 'closing';
      this.#socket?.close();
    }
    return this.#over;
  }

  async #open(): Promise<void> {
    let token: Uint8Array | undefined;
    try {
      token = (await this.#options.credentials.read(TOKEN_KIND, [TOKEN_ID])).get(TOKEN_ID);
    } catch {
      // The store rejected the read: another worker may hold the device by now.
      return this.#finish({ reason: 'connection_lost', next: 'check-lease' });
    }
    if (this.#state === 'ended') return;
    if (!token) return this.#finish({ reason: 'credentials_invalid', next: 'relink' });
    const socket = new DeviceSocket(this.#settings, {
      opened: () => this.#logIn(socket, Buffer.from(token).toString('utf8')),
      frame: (frame) => this.#onFrame(frame),
      closed: (reason) => {
        const byUs = this.#state === 'closing';
        this.#finish(byUs ? { reason: 'closed_by_us', next: 'none' } : { reason, next: 'reconnect' });
      },
    });
    this.#socket = socket;
  }

  /** Resolves when the connection accepted the frame. */
  #write(frame: DeviceFrame): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#state !== 'connected') return reject(new Error('the session is not connected'));
      this.#socket?.send(frame, (error) => (error ? reject(error) : resolve()));
    });
  }

  #logIn(socket: DeviceSocket, token: string): void {
    const { deviceId, epoch } = this.#options;
    socket.send({ t: 'login', v: PROTOCOL_VERSION, device: deviceId, epoch: epoch.toString(), token });
  }

  #onFrame(frame: NetworkFrame): void {
    const { events } = this.#options;
    switch (frame.t) {
      case 'ack':
        return this.#acknowledge(frame.id);
      case 'nack': {
        const { reason, permanent, retry_after_ms: retryAfterMs = 0 } = frame;
        const refusal = permanent ? ({ permanent, reason } as const) : ({ permanent, reason, retryAfterMs } as const);
        this.#pending.resolve(frame.id, { kind: 'not-sent', ...refusal });
        return;
      }
      case 'receipt':
        return this.#settleAfter(frame.n, events.receipt({ networkMessageId: frame.id, status: frame.status }));
      case 'inbound': {
        const report = reportOf(frame);
        const isOff = report.chat.type === 'group' && this.#options.reportsGroups?.() !== true;
        return this.#settleAfter(frame.n, isOff ? Promise.resolve() : events.inbound(report));
      }
      case 'welcome':
        if (this.#state !== 'connecting') return;
        this.#state = 'connected';
        return events.connected();
      case 'end':
        return this.#finish(sessionEndOf(frame));
      case 'code':
      case 'linked':
        // These frames are for devices that are being linked.
        return;
    }
  }

  /** If `handled` rejects, the event stays unsettled, and the network reports it to the device's next session. */
  #settleAfter(n: number, handled: Promise<unknown>): void {
    handled.then(
      () => this.#socket?.send({ t: 'settle', n }),
      () => undefined,
    );
  }

  #acknowledge(networkMessageId: string): void {
    if (this.#pending.resolve(networkMessageId, { kind: 'sent' })) return;
    // The network does not repeat an acknowledgement. If the handler fails, the message stays `unknown` or is sent
    // again.
    this.#options.events.acknowledged({ networkMessageId }).catch(() => undefined);
  }

  #tick(now: number): void {
    this.#pending.expire(now);
    if (this.#state === 'connecting' && now > this.#connectBy) {
      this.#finish({ reason: 'network_unavailable', next: 'reconnect' });
    }
    if (this.#logout && now > this.#logout.deadline)
      this.#failLogout(new Error('the network did not confirm the logout'));
  }

  #failLogout(error: Error): void {
    this.#logout?.reject(error);
    this.#logout = null;
  }

  #finish(end: SessionEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#settings.ticker.delete(this.#onTick);
    this.#socket?.drop();
    this.#pending.resolveAll({ kind: 'unknown', reason: 'connection_lost' });
    if (end.reason === 'logged_out') this.#logout?.resolve();
    else this.#failLogout(new Error('the connection ended before the network confirmed the logout'));
    // The callers of `send` handle their outcomes first.
    setImmediate(() => {
      this.#options.events.ended(end);
      this.#markOver();
    });
  }
}
