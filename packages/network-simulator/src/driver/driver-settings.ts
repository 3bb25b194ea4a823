import type { Ticker } from './ticker.js';

export type DriverSettings = {
  /** The address for devices' WebSockets. */
  readonly socketUrl: string;
  /** How long a `send` or a `logout` waits for the network's answer. */
  readonly ackTimeoutMs: number;
  /** The time limit for connecting and logging in together. */
  readonly connectTimeoutMs: number;
  /** The network pings more often than this. After a longer silence the connection counts as lost. */
  readonly silenceTimeoutMs: number;
  readonly ticker: Ticker;
};
