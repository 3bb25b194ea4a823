/** The driver for WhatsApp, on Baileys. */
import type { PrivateProxies } from '@kurir/address-guard';
import type { ConnectOptions, Driver, SessionEvents } from '@kurir/network';
import { DEFAULT_CONNECTION_CONFIG, WA_CERT_DETAILS } from 'baileys';
import type { DriverLog } from './socket/driver-log.js';
import type { MediaHost } from './socket/driver-settings.js';
import { forgetSessions } from './people/forget-sessions.js';
import { keepContextOfJobs } from './socket/libsignal-jobs.js';
import { silenceLibsignal } from './socket/libsignal-console.js';
import { WhatsappLinkAttempt } from './linking/link-attempt.js';
import { WhatsappSession } from './session.js';
import { builtInVersion, numbersOf, type WebVersion } from './socket/web-version.js';

export type WhatsappDriverOptions = {
  /** Default: WhatsApp's own, `wss://web.whatsapp.com/ws/chat`. */
  readonly webSocketUrl?: string;
  /**
   * The version of WhatsApp's web client to appear as, asked for when a session or a link attempt begins. The network
   * refuses one that is too old. Default: the library's.
   */
  readonly version?: () => WebVersion;
  /** How long a written message waits for the network's acknowledgement before it is `unknown`. */
  readonly ackTimeoutMs: number;
  /** How long a question (is this number on WhatsApp) waits for its answer. */
  readonly queryTimeoutMs: number;
  /** Default 20,000. */
  readonly connectTimeoutMs?: number;
  /** How often the network is asked for a sign of life. Default 30,000. */
  readonly keepAliveMs?: number;
  /** How long one receipt or inbound message may take before it is given up. Default 30,000. */
  readonly handlerTimeoutMs?: number;
  /** How long each QR is shown. Default: 60 s for the first, 20 s for each later one, as WhatsApp Web does. */
  readonly qrLifetimeMs?: number;
  /** How long a pairing code is shown. Default: 180 s, as WhatsApp's counts. */
  readonly pairingCodeLifetimeMs?: number;
  /** The root of the server's Noise certificates, 32 bytes, for another network than WhatsApp's. For the whole process. */
  readonly noiseRootKey?: Uint8Array;
  /** Where encrypted files are kept, for another network than WhatsApp's. */
  readonly mediaHost?: MediaHost;
  /** Whether devices may have proxies on loopback, private, link-local and other addresses of the inside. Default: not. */
  readonly privateProxies?: PrivateProxies;
  readonly log: DriverLog;
};

/** Opens nothing until a device is linked or connected. Silences libsignal on this process's console. */
export function createWhatsappDriver(options: WhatsappDriverOptions): Driver {
  silenceLibsignal();
  keepContextOfJobs();
  // Baileys takes it from this object and from nowhere else.
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

/** A session that is refused for its version says which one that was: by then the driver may know a newer one. */
function namingVersion(options: ConnectOptions, version: WebVersion): ConnectOptions {
  const ended: SessionEvents['ended'] = (end) =>
    options.events.ended(end.reason === 'client_outdated' ? { ...end, detail: version } : end);
  return { ...options, events: { ...options.events, ended } };
}
