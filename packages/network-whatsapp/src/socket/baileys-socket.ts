/**
 * One Baileys socket with this driver's settings, made safe for a process that holds many: a listener of Baileys that
 * rejects ends its own session instead of the process, and a server that does not close is not waited for.
 */
import { createProxyAgent, type ProxyFailure } from '@kurir/address-guard';
import { type AuthenticationState, type BinaryNode, makeWASocket, type SocketConfig, type WASocket } from 'baileys';
import { BROWSER } from './appearance.js';
import { BoundedCache } from './bounded-cache.js';
import { createBaileysLog } from './driver-log.js';
import type { DriverSettings } from './driver-settings.js';
import { isCrowd } from './jid.js';
import { onRefusedUpgrade } from './refused-upgrade.js';

export type SocketOptions = {
  readonly settings: DriverSettings;
  readonly auth: AuthenticationState;
  readonly proxyUrl: string | undefined;
  /** Told, perhaps twice, when it is the proxy that failed. */
  readonly onProxyFailure: (failure: ProxyFailure) => void;
  readonly config?: Partial<SocketConfig>;
};

type Listener = (...args: readonly unknown[]) => unknown;

const CLOSE_TIMEOUT_MS = 1_000;
const RETRY_COUNTERS_TTL_MS = 3_600_000;

/** The network's last words, after which it closes the connection. */
const LAST_WORDS = ['CB:stream:error', 'CB:failure', 'CB:xmlstreamend'] as const;

/** Starts connecting. Throws when the proxy address is none. */
export function openSocket({ settings, auth, proxyUrl, onProxyFailure, config = {} }: SocketOptions): WASocket {
  const { privateProxies } = settings;
  const agent =
    proxyUrl === undefined ? undefined : createProxyAgent(proxyUrl, { privateProxies, onFailure: onProxyFailure });
  const socket = makeWASocket({
    auth,
    waWebSocketUrl: settings.webSocketUrl,
    version: settings.version,
    browser: BROWSER,
    logger: createBaileysLog(settings.log),
    // Ours ends at the first answer. Baileys' own would also guard each frame, with a timer and two stacks per message.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: settings.queryTimeoutMs,
    keepAliveIntervalMs: settings.keepAliveMs,
    ...(settings.qrLifetimeMs === null ? {} : { qrTimeout: settings.qrLifetimeMs }),
    ...(agent === undefined ? {} : { agent, fetchAgent: agent }),
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    // `HistoryReader` reads what is wanted of it, through the device's proxy.
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: isCrowd,
    // A commit is tried once: a store that refuses ends the session.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    // `Resends` answers those who ask for a text again; Baileys is asked for none.
    getMessage: async () => undefined,
    msgRetryCounterCache: cache(500, RETRY_COUNTERS_TTL_MS),
    placeholderResendCache: cache(500, RETRY_COUNTERS_TTL_MS),
    callOfferCache: cache(50),
    ...config,
  });
  guardListeners(socket);
  keepNoMessages(socket);
  giveUpOnSilence(socket, settings.connectTimeoutMs);
  onRefusedUpgrade(socket, (error) => endSocket(socket, error));
  for (const event of LAST_WORDS) socket.ws.on(event, () => terminateSoon(socket));
  return socket;
}

/** For Baileys, whose cache type promises to know what each caller stores. */
export function cache(capacity: number, ttlMs?: number): NonNullable<SocketConfig['callOfferCache']> {
  return new BoundedCache<unknown>(capacity, ttlMs) as NonNullable<SocketConfig['callOfferCache']>;
}

/** Ends the connection; `connection.update` with `close` follows, within a second even when the server does not answer. */
export function endSocket(socket: WASocket, error?: Error): void {
  terminateSoon(socket);
  // Its own handlers are all it runs; what they throw was theirs to log.
  socket.end(error).catch(() => undefined);
}

/** Baileys keeps what it sends and receives for receivers that ask again, each with a timer of five minutes; ours are stored. */
function keepNoMessages({ messageRetryManager }: WASocket): void {
  if (messageRetryManager) messageRetryManager.addRecentMessage = () => undefined;
}

/** A server that says nothing is cut off: Baileys asks it to close, and would wait for that. */
function giveUpOnSilence(socket: WASocket, timeoutMs: number): void {
  const timer = setTimeout(() => endSocket(socket, new Error('the network did not answer in time')), timeoutMs);
  socket.ws.once('frame', () => clearTimeout(timer));
  whenClosed(socket, () => clearTimeout(timer));
}

function terminateSoon(socket: WASocket): void {
  // Baileys keeps its WebSocket to itself and has no way to cut it.
  const { socket: connection } = socket.ws as unknown as { readonly socket: { terminate(): void } | null };
  const timer = setTimeout(() => connection?.terminate(), CLOSE_TIMEOUT_MS);
  whenClosed(socket, () => clearTimeout(timer));
}

/** Baileys takes all listeners of its WebSocket's `close` away when it ends by itself; `close` may be told twice. */
function whenClosed(socket: WASocket, closed: () => void): void {
  socket.ws.once('close', closed);
  socket.ev.on('connection.update', ({ connection }) => {
    if (connection === 'close') closed();
  });
}

/**
 * Takes Baileys' only listener of this event away and returns it, so that the caller decides when Baileys sees the
 * stanza: it acknowledges at the end of its own handling. Throws when a new version listens otherwise.
 */
export function takeListener(socket: WASocket, event: string): (stanza: BinaryNode) => Promise<void> {
  const [listener, ...others] = socket.ws.listeners(event);
  if (listener === undefined || others.length > 0) {
    throw new Error(
      `this driver expects one listener of ${event} in baileys, and found ${others.length + (listener ? 1 : 0)}`,
    );
  }
  // As in guardListeners, which made this one.
  socket.ws.off(event, listener as Listener);
  return listener as unknown as (stanza: BinaryNode) => Promise<void>;
}

function guardListeners(socket: WASocket): void {
  const { ws } = socket;
  for (const event of ws.eventNames()) {
    // Node types listeners as `Function`.
    for (const listener of ws.listeners(event) as unknown as readonly Listener[]) {
      ws.off(event, listener);
      const guarded: Listener = (...args) => attempt(socket, event, () => listener(...args));
      ws.on(event, guarded);
    }
  }
}

/** Resolves when the listener is through, so that one that was taken away can be waited for. Never rejects. */
async function attempt(socket: WASocket, event: string | symbol, listen: () => unknown): Promise<void> {
  try {
    await listen();
  } catch (error) {
    endSocket(socket, new Error(`baileys failed at ${String(event)}`, { cause: error }));
  }
}
