import type { WAVersion } from 'baileys';
import type { DriverLog } from './driver-log.js';
import type { PrivateProxies } from './proxy-agent.js';

export type DriverSettings = {
  readonly webSocketUrl: string;
  readonly version: WAVersion;
  /** How long a written message waits for the network's acknowledgement, and a logout for its confirmation. */
  readonly ackTimeoutMs: number;
  /** How long each question to the network waits for its answer. */
  readonly queryTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Null: as WhatsApp Web does, 60 s for the first QR and 20 s for each later one. */
  readonly qrLifetimeMs: number | null;
  /** How long a pairing code counts, from the moment in which it was made. */
  readonly pairingCodeLifetimeMs: number;
  readonly privateProxies: PrivateProxies;
  readonly log: DriverLog;
};
