/** The harness of the conformance suite: a driver's test passes its network, and the means to control the phones. */
import type { Network } from '@kurir/contracts';
import type { Driver, TypingAction } from '../../src/driver.js';

/** A fault of one device. A fault of messages hits its next message, once. */
export type ConformanceFault =
  /** The connection breaks; the network does not have the message. */
  | { readonly kind: 'reset-before-take' }
  /** The network has the message; the connection breaks instead of the acknowledgement. */
  | { readonly kind: 'reset-after-take' }
  /** The network has the message, and acknowledges it `delayMs` later. */
  | { readonly kind: 'late-acknowledgement'; readonly delayMs: number }
  | { readonly kind: 'refuse-for-good' }
  | { readonly kind: 'refuse-for-now'; readonly retryAfterMs: number }
  /** At once: the phone unlinks the device. */
  | { readonly kind: 'logout' }
  | { readonly kind: 'ban' }
  | { readonly kind: 'temporary-ban'; readonly until: Date }
  /** At once: the network asks the device to connect again. */
  | { readonly kind: 'restart' };

/** A letter of a person that is no plain text. `of` is the id of an earlier message. */
export type ConformanceLetter =
  | { readonly kind: 'answer'; readonly text: string; readonly of: string; readonly quote: string }
  | { readonly kind: 'image'; readonly caption: string }
  | { readonly kind: 'edit'; readonly of: string; readonly text: string }
  | { readonly kind: 'deletion'; readonly of: string }
  /** A reaction to a message of the device. Null takes it back. */
  | { readonly kind: 'reaction'; readonly of: string; readonly emoji: string | null }
  /** The device can read the text only later. */
  | { readonly kind: 'unreadable'; readonly text: string };

/** The means of `DriverHarness.letters`. Each resolves with the id of the message. */
export interface ConformanceLetters {
  write(phone: string, to: string, letter: ConformanceLetter): Promise<string>;
  /** The owner of `phone` writes with the phone, while a device is linked to it. */
  writeElsewhere(phone: string, to: string, text: string): Promise<string>;
  /** From now on, the network shows the phone's number to nobody. */
  hideNumber(phone: string): void;
}

export interface ConformanceNetwork {
  readonly name: Network;
  readonly driver: Driver;
  /** A number that exists and has no device yet. No number is returned twice. */
  freshNumber(): string;
  readonly numberNotOnNetwork: string;
  scan(phone: string, code: string): Promise<void>;
  enterPairingCode(phone: string, code: string): Promise<void>;
  /** The messages that the phone shows, oldest first. */
  inbox(phone: string): Promise<readonly { networkMessageId: string; from: string; text: string }[]>;
  /** The typing signals that the phone received, oldest first. */
  typing(phone: string): Promise<readonly { from: string; action: TypingAction }[]>;
  /** The ids of the messages of the phone that it shows as read, in the order of the marks. */
  readMarks(phone: string): Promise<readonly string[]>;
  linkedDevices(phone: string): Promise<readonly string[]>;
  /** Sends a message from the person at `phone` to the number of a linked device. */
  write(phone: string, to: string, text: string): Promise<void>;
  readonly letters?: ConformanceLetters;
  inject(deviceId: string, fault: ConformanceFault): Promise<void>;
  /** May be called twice. */
  stop(): Promise<void>;
}

export type StartOptions = {
  readonly ackTimeoutMs: number;
  /** How long the network shows a QR before it changes. */
  readonly codeLifetimeMs: number;
  readonly codeRounds: number;
};

export interface DriverHarness {
  start(options: StartOptions): Promise<ConformanceNetwork>;
  /** Whether its networks have `letters`. The cases that need them are skipped without. */
  readonly hasLetters?: true;
  /** Faults that this network cannot play. The reason is shown for the skipped cases. */
  readonly cannotPlay?: Readonly<Partial<Record<ConformanceFault['kind'], string>>>;
}
