/** The driver for WhatsApp, on Baileys. */
import type { Driver } from '@kurir/network';
import { DEFAULT_CONNECTION_CONFIG, WA_CERT_DETAILS, type WAVersion } from 'baileys';
import type { DriverLog } from './driver-log.js';
import { forgetSessions } from './forget-sessions.js';
import { silenceLibsignal } from './libsignal-console.js';
import { WhatsappLinkAttempt } from './link-attempt.js';
import type { PrivateProxies } from './proxy-agent.js';
import { WhatsappSession } from './session.js';

export type WhatsappDriverOptions = {
  /** Default: WhatsApp's own, `wss://web.whatsapp.com/ws/chat`. */
  readonly webSocketUrl?: string;
  /** The version of WhatsApp Web to appear as; the network answers 405 when it is too old. Default: the library's. */
  readonly version?: WAVersion;
  /** How long a written message waits for the network's acknowledgement before it is `unknown`. */
  readonly ackTimeoutMs: number;
  /** How long a question (is this number on WhatsApp) waits for its answer. */
  readonly queryTimeoutMs: number;
  /** Default 20,000. */
  readonly connectTimeoutMs?: number;
  /** How long each QR is shown. Default: 60 s for the first, 20 s for each later one, as WhatsApp Web does. */
  readonly qrLifetimeMs?: number;
  /** The root of the server's Noise certificates, 32 bytes, for another network than WhatsApp's. For the whole process. */
  readonly noiseRootKey?: Uint8Array;
  /** Whether devices may have proxies on loopback, private, link-local and other addresses of the inside. Default: not. */
  readonly privateProxies?: PrivateProxies;
  readonly log: DriverLog;
};

/** Opens nothing until a device is linked or connected. Silences libsignal on this process's console. */
export function createWhatsappDriver(options: WhatsappDriverOptions): Driver {
  silenceLibsignal();
  // Baileys takes it from this object and from nowhere else.
  if (options.noiseRootKey) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(options.noiseRootKey);
  const settings = {
    webSocketUrl: options.webSocketUrl ?? String(DEFAULT_CONNECTION_CONFIG.waWebSocketUrl),
    version: options.version ?? DEFAULT_CONNECTION_CONFIG.version,
    ackTimeoutMs: options.ackTimeoutMs,
    queryTimeoutMs: options.queryTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? 20_000,
    qrLifetimeMs: options.qrLifetimeMs ?? null,
    privateProxies: options.privateProxies ?? 'refuse',
    log: options.log,
  };
  return {
    network: 'whatsapp',
    capabilities: { pairing: ['qr', 'pairing_code'], typing: true, receipts: 'read', limitsNewContacts: true },
    link: (linkOptions) => new WhatsappLinkAttempt(settings, linkOptions),
    forgetSessions,
    connect: (connectOptions) => new WhatsappSession(settings, connectOptions),
  };
}
