/** The driver of the simulated network. PROTOCOL.md describes its frames. */
import type { Driver } from '@kurir/network';
import { DEVICE_PATH } from '../protocol/frames.js';
import { SimulatorLinkAttempt } from './link-attempt.js';
import { SimulatorSession } from './session.js';
import { Ticker } from './ticker.js';

export type SimulatorDriverOptions = {
  /** The simulator's address, `http://host:port`. */
  readonly url: string;
  /** How long a `send` waits for the network's answer before it is `unknown`. */
  readonly ackTimeoutMs: number;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Default 40,000; the network pings every 15,000. */
  readonly silenceTimeoutMs?: number;
};

/** Throws when `url` is no URL. Opens nothing until a device is linked or connected. */
export function createSimulatorDriver(options: SimulatorDriverOptions): Driver {
  const socketUrl = new URL(DEVICE_PATH, options.url);
  socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  const settings = {
    socketUrl: socketUrl.href,
    ackTimeoutMs: options.ackTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    silenceTimeoutMs: options.silenceTimeoutMs ?? 40_000,
    ticker: new Ticker(tickIntervalMs(options.ackTimeoutMs)),
  };
  return {
    link: (linkOptions) => new SimulatorLinkAttempt(settings, linkOptions),
    connect: (connectOptions) => new SimulatorSession(settings, connectOptions),
  };
}

/** Short enough that a timeout is at most a tenth late, with a lower bound that keeps the timer cheap. */
function tickIntervalMs(ackTimeoutMs: number): number {
  return Math.min(250, Math.max(10, ackTimeoutMs / 10));
}
