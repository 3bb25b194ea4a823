import type { PrivateProxies } from '@kurir/address-guard';
import type { WAVersion } from 'baileys';
import type { DriverLog } from './driver-log.js';

/** `host:port`, on any address, and the certificate of its CA, PEM. */
export type MediaHost = { readonly address: string; readonly certificate: string };

export type DriverSettings = {
  readonly webSocketUrl: string;
  /** Of this session or link attempt. */
  readonly version: WAVersion;
  /** How long a written message waits for the network's acknowledgement, and a logout for its confirmation. */
  readonly ackTimeoutMs: number;
  /** How long each question to the network waits for its answer. */
  readonly queryTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** How often the network is asked for a sign of life. Five seconds after one stays out, the connection is given up. */
  readonly keepAliveMs: number;
  /** How long one receipt or inbound message may take before it is given up. */
  readonly handlerTimeoutMs: number;
  /** Null: as WhatsApp Web does, 60 s for the first QR and 20 s for each later one. */
  readonly qrLifetimeMs: number | null;
  /** Null: WhatsApp's own. */
  readonly mediaHost: MediaHost | null;
  /** How long a pairing code counts, from the moment in which it was made. */
  readonly pairingCodeLifetimeMs: number;
  readonly privateProxies: PrivateProxies;
  readonly log: DriverLog;
};
