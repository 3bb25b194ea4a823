import type { PrivateProxies } from '@kurir/address-guard';
import type { WAVersion } from 'baileys';
import type { DriverLog } from './driver-log.js';

/** `host:port`, where any address is allowed, and the PEM certificate of its CA. */
export type MediaHost = { readonly address: string; readonly certificate: string };

export type DriverSettings = {
  readonly webSocketUrl: string;
  /** The version that this session or link attempt appears as. */
  readonly version: WAVersion;
  /** How long a written message waits for the network's acknowledgement, and a logout for its confirmation. */
  readonly ackTimeoutMs: number;
  /** How long each query to the network waits for its answer. */
  readonly queryTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /**
   * How often the driver asks the network for a sign of life. Baileys ends the connection soon after one is missing.
   */
  readonly keepAliveMs: number;
  /** How long the handler of one receipt or inbound message may take before the driver gives up. */
  readonly handlerTimeoutMs: number;
  /** Null: as long as WhatsApp Web shows each QR. */
  readonly qrLifetimeMs: number | null;
  /** Null: WhatsApp's own host. */
  readonly mediaHost: MediaHost | null;
  /** How long a pairing code can be used after it was made. */
  readonly pairingCodeLifetimeMs: number;
  readonly privateProxies: PrivateProxies;
  readonly log: DriverLog;
};
