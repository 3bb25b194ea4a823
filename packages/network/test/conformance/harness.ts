/** What a driver's test gives to the conformance suite: its network, and hands to play the phones with. */
import type { Network } from '@kurir/contracts';
import type { Driver, TypingAction } from '../../src/driver.js';

/** Something goes wrong for one device; the message faults meet its next message, once. */
export type ConformanceFault =
  /** The connection breaks; the network does not have the message. */
  | { readonly kind: 'reset-before-take' }
  /** The network has the message; the connection breaks instead of the acknowledgement. */
  | { readonly kind: 'reset-after-take' }
  /** The network has the message and says so `delayMs` later. */
  | { readonly kind: 'late-acknowledgement'; readonly delayMs: number }
  | { readonly kind: 'refuse-for-good' }
  | { readonly kind: 'refuse-for-now'; readonly retryAfterMs: number }
  /** At once: the phone unlinks the device. */
  | { readonly kind: 'logout' }
  | { readonly kind: 'ban' }
  | { readonly kind: 'temporary-ban'; readonly until: Date }
  /** At once: the network asks the device to connect again. */
  | { readonly kind: 'restart' };

export interface ConformanceNetwork {
  readonly name: Network;
  readonly driver: Driver;
  /** A number that exists, has no device yet, and is never given twice. */
  freshNumber(): string;
  readonly numberNotOnNetwork: string;
  scan(phone: string, code: string): Promise<void>;
  enterPairingCode(phone: string, code: string): Promise<void>;
  /** What the phone shows, oldest first. */
  inbox(phone: string): Promise<readonly { networkMessageId: string; from: string; text: string }[]>;
  /** The typing signals that the phone saw, oldest first. */
  typing(phone: string): Promise<readonly { from: string; action: TypingAction }[]>;
  linkedDevices(phone: string): Promise<readonly string[]>;
  /** The person at `phone` writes to the number of a linked device. */
  write(phone: string, to: string, text: string): Promise<void>;
  inject(deviceId: string, fault: ConformanceFault): Promise<void>;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

export type StartOptions = {
  /** For the driver. */
  readonly ackTimeoutMs: number;
  /** How long the network shows a QR before it changes, and how many it shows. */
  readonly codeLifetimeMs: number;
  readonly codeRounds: number;
};

export interface DriverHarness {
  start(options: StartOptions): Promise<ConformanceNetwork>;
  /** Faults that this network cannot play, with the reason, which is what their skipped cases say. */
  readonly cannotPlay?: Readonly<Partial<Record<ConformanceFault['kind'], string>>>;
}
