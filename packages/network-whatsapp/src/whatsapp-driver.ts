/** The driver for WhatsApp, on Baileys. */
import type { PrivateProxies } from '@kurir/address-guard';
import type { ConnectOptions, Driver, SessionEvents } from '@kurir/network';
import { DEFAULT_CONNECTION_CONFIG, WA_CERT_DETAILS } from 'baileys';
import { WhatsappLinkAttempt } from './linking/link-attempt.js';
import { forgetSessions } from './people/forget-sessions.js';
import { WhatsappSession } from './session.js';
import type { DriverLog } from './socket/driver-log.js';
import type { MediaHost } from './socket/driver-settings.js';
import { silenceLibsignal } from './socket/libsignal-console.js';
import { keepContextOfJobs } from './socket/libsignal-jobs.js';
import { builtInVersion, numbersOf, type WebVersion } from './socket/web-version.js';

export type WhatsappDriverOptions = {
  /** Default: WhatsApp's own, `wss://web.whatsapp.com/ws/chat`. */
  readonly webSocketUrl?: string;
  /**
   * The version of WhatsApp's web client to appear as. The driver asks for it when a session or a link attempt begins.
   * The network refuses a version that is too old. Default: the version of the library.
   */
  readonly version?: () => WebVersion;
  /** How long a written message waits for the network's acknowledgement before it is `unknown`. */
  readonly ackTimeoutMs: number;
  /** How long a query to the network waits for its answer, for example whether a number is on WhatsApp. */
  readonly queryTimeoutMs: number;
  /** Default 20,000. */
  readonly connectTimeoutMs?: number;
  /** How often the driver asks the network for a sign of life. Default 30,000. */
  readonly keepAliveMs?: number;
  /** How long the handler of one receipt or inbound message may take before the driver gives up. Default 30,000. */
  readonly handlerTimeoutMs?: number;
  /** How long each QR is shown. Default: as long as WhatsApp Web shows it, which is longer for the first one. */
  readonly qrLifetimeMs?: number;
  /** How long a pairing code is shown. Default: as long as WhatsApp accepts it. */
  readonly pairingCodeLifetimeMs?: number;
  /**
   * The root of the server's Noise certificates, 32 bytes, for a network other than WhatsApp's. Holds for the whole
   * process.
   */
  readonly noiseRootKey?: Uint8Array;
  /** The host of encrypted files, for a network other than WhatsApp's. */
  readonly mediaHost?: MediaHost;
  /**
   * Whether devices may have proxies on loopback, private, link-local and other internal addresses. Default: they may
   * not.
   */
  readonly privateProxies?: PrivateProxies;
  readonly log: DriverLog;
};

/** Opens nothing until a device is linked or connected. Keeps libsignal's lines from this process's console. */
export function createWhatsappDriver(options: WhatsappDriverOptions): Driver {
  silenceLibsignal();
  keepContextOfJobs();
  // Baileys reads the key from this object only.
  if (options.noiseRootKey) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(options.noiseRootKey);
  const version = options.version ?? (() => builtInVersion);
  const settings = {
    webSocketUrl: options.webSocketUrl ?? String(DEFAULT_CONNECTION_CONFIG.waWebSocketUrl),
    ackTimeoutMs: options.ackTimeoutMs,
    queryTimeoutMs: options.queryTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? 20_000,
    keepAliveMs: options.keepAliveMs ?? 30_000,
    handlerTimeoutMs: options.handlerTimeoutMs ?? 30_000,
    qrLifetimeMs: options.qrLifetimeMs ?? null,
    mediaHost: options.mediaHost ?? null,
    pairingCodeLifetimeMs: options.pairingCodeLifetimeMs ?? 180_000,
    privateProxies: options.privateProxies ?? 'refuse',
    log: options.log,
  };
  return {
    forgetSessions,
    link: (linkOptions) => new WhatsappLinkAttempt({ ...settings, version: numbersOf(version()) }, linkOptions),
    connect(connectOptions) {
      const used = version();
      return new WhatsappSession({ ...settings, version: numbersOf(used) }, namingVersion(connectOptions, used));
    },
  };
}

/** Names the refused version in the end of a session. By then the driver may know a newer version. */
function namingVersion(options: ConnectOptions, version: WebVersion): ConnectOptions {
  const ended: SessionEvents['ended'] = (end) =>
    options.events.ended(end.reason === 'client_outdated' ? { ...end, detail: version } : end);
  return { ...options, events: { ...options.events, ended } };
}
