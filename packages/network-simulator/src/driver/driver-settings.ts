import type { Ticker } from './ticker.js';

export type DriverSettings = {
  /** Where the network takes devices' WebSockets. */
  readonly socketUrl: string;
  /** How long a `send`, and a `logout`, waits for the network's answer. */
  readonly ackTimeoutMs: number;
  /** How long connecting and logging in may take together. */
  readonly connectTimeoutMs: number;
  /** The network pings more often than this; a longer silence means that the connection is gone. */
  readonly silenceTimeoutMs: number;
  readonly ticker: Ticker;
};
