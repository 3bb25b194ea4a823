/**
 * Opens one Baileys socket with this driver's settings, and makes it safe for a process that holds many. A listener of
 * Baileys that rejects ends its own session, not the process. A server that does not close is cut off.
 */
import { createProxyAgent, type ProxyFailure } from '@kurir/address-guard';
import {
  type AuthenticationState,
  type BinaryNode,
  jidNormalizedUser,
  makeWASocket,
  type SocketConfig,
  type WASocket,
} from 'baileys';
import { BROWSER } from './appearance.js';
import { BoundedCache } from './bounded-cache.js';
import { createBaileysLog } from './driver-log.js';
import type { DriverSettings } from './driver-settings.js';
import { isCrowd, isGroup, isLid } from './jid.js';
import { onRefusedUpgrade } from './refused-upgrade.js';

export type SocketOptions = {
  readonly settings: DriverSettings;
  readonly auth: AuthenticationState;
  readonly proxyUrl: string | undefined;
  /** Called when the proxy failed; perhaps twice. */
  readonly onProxyFailure: (failure: ProxyFailure) => void;
  /** Whether messages of groups are read now. */
  readsGroups?(): boolean;
  readonly config?: Partial<SocketConfig>;
};

export type OwnAddresses = { readonly id: string; readonly lid?: string };

type Listener = (...args: readonly unknown[]) => unknown;

const CLOSE_TIMEOUT_MS = 1_000;
const RETRY_COUNTERS_TTL_MS = 3_600_000;

/** The last stanzas of the network, after which it closes the connection. */
const LAST_WORDS = ['CB:stream:error', 'CB:failure', 'CB:xmlstreamend'] as const;

/** Starts connecting. Throws when `proxyUrl` is not the address of a proxy. */
export function openSocket(options: SocketOptions): WASocket {
  const { settings, auth, proxyUrl, onProxyFailure, readsGroups = () => false, config = {} } = options;
  const { privateProxies } = settings;
  const agent =
    proxyUrl === undefined ? undefined : createProxyAgent(proxyUrl, { privateProxies, onFailure: onProxyFailure });
  const socket = makeWASocket({
    auth,
    waWebSocketUrl: settings.webSocketUrl,
    version: settings.version,
    browser: BROWSER,
    logger: createBaileysLog(settings.log),
    // `giveUpOnSilence` stops at the first answer. Baileys' own timeout would also guard each frame, with a timer and
    // two stacks per message.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: settings.queryTimeoutMs,
    keepAliveIntervalMs: settings.keepAliveMs,
    ...(settings.qrLifetimeMs === null ? {} : { qrTimeout: settings.qrLifetimeMs }),
    ...(agent === undefined ? {} : { agent, fetchAgent: agent }),
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    // `HistoryReader` reads the parts of the history that the driver needs, through the device's proxy.
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: (jid) => isCrowd(jid) && !(isGroup(jid) && readsGroups()),
    // A commit is tried once: a store that rejects it ends the session.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    // `Resends` sends a text again; Baileys gets no text to resend.
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

/** The addresses of the socket's own account. */
export function ownAddressesOf({ authState }: WASocket): OwnAddresses {
  const { id = '', lid } = authState.creds.me ?? {};
  return lid === undefined ? { id } : { id, lid };
}

/** This account's address of the same kind as `other`. The server refuses a message that mixes the two kinds. */
export function ownAccountLike(socket: WASocket, other: string): string {
  const { id, lid = '' } = ownAddressesOf(socket);
  return jidNormalizedUser(isLid(other) ? lid : id);
}

/** For Baileys, whose cache type promises to know the type of each value. */
export function cache(capacity: number, ttlMs?: number): NonNullable<SocketConfig['callOfferCache']> {
  return new BoundedCache<unknown>(capacity, ttlMs) as NonNullable<SocketConfig['callOfferCache']>;
}

/**
 * Ends the connection. `connection.update` with `close` follows within `CLOSE_TIMEOUT_MS`, even when the server does
 * not answer.
 */
export function endSocket(socket: WASocket, error?: Error): void {
  terminateSoon(socket);
  // `end` runs only Baileys' own handlers, which log their errors.
  socket.end(error).catch(() => undefined);
}

/** Baileys keeps sent and received messages for receivers that ask again, each with a timer. The worker stores ours. */
function keepNoMessages({ messageRetryManager }: WASocket): void {
  if (messageRetryManager) messageRetryManager.addRecentMessage = () => undefined;
}

/** Cuts off a silent server. Baileys would ask the server to close, and wait for that. */
function giveUpOnSilence(socket: WASocket, timeoutMs: number): void {
  const timer = setTimeout(() => endSocket(socket, new Error('the network did not answer in time')), timeoutMs);
  socket.ws.once('frame', () => clearTimeout(timer));
  whenClosed(socket, () => clearTimeout(timer));
}

function terminateSoon(socket: WASocket): void {
  // Baileys hides its WebSocket and has no method that cuts it.
  const { socket: connection } = socket.ws as unknown as { readonly socket: { terminate(): void } | null };
  const timer = setTimeout(() => connection?.terminate(), CLOSE_TIMEOUT_MS);
  whenClosed(socket, () => clearTimeout(timer));
}

/**
 * When Baileys ends the connection itself, it removes all listeners of its WebSocket's `close`. `closed` may be called
 * twice.
 */
function whenClosed(socket: WASocket, closed: () => void): void {
  socket.ws.once('close', closed);
  socket.ev.on('connection.update', ({ connection }) => {
    if (connection === 'close') closed();
  });
}

/**
 * Removes Baileys' only listener of this event and returns it. The caller then decides when Baileys sees the stanza,
 * because Baileys acknowledges at the end of its handling. Throws when a new version of Baileys has another number of
 * listeners.
 */
export function takeListener(socket: WASocket, event: string): (stanza: BinaryNode) => Promise<void> {
  const [listener, ...others] = socket.ws.listeners(event);
  if (listener === undefined || others.length > 0) {
    throw new Error(
      `this driver expects one listener of ${event} in baileys, and found ${others.length + (listener ? 1 : 0)}`,
    );
  }
  // `guardListeners` made this listener.
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

/** Resolves when `listen` has finished, so that the caller of `takeListener` can wait for it. Never rejects. */
async function attempt(socket: WASocket, event: string | symbol, listen: () => unknown): Promise<void> {
  try {
    await listen();
  } catch (error) {
    endSocket(socket, new Error(`baileys failed at ${String(event)}`, { cause: error }));
  }
}
