/**
 * The driver's end of one WebSocket. Sends and receives frames, and reports the end of the connection exactly once. A
 * silent connection counts as ended. So does a connection that sends an unknown frame.
 */
import { WebSocket } from 'ws';
import { type DeviceFrame, MAX_FRAME_BYTES, type NetworkFrame, parseNetworkFrame } from '../protocol/frames.js';
import type { DriverSettings } from './driver-settings.js';

const CLOSE_TIMEOUT_MS = 1_000;

export type DeviceSocketListener = {
  opened(): void;
  frame(frame: NetworkFrame): void;
  /** `network_unavailable`: the connection never opened. */
  closed(reason: 'network_unavailable' | 'connection_lost'): void;
};

export class DeviceSocket {
  readonly #socket: WebSocket;
  readonly #settings: DriverSettings;
  readonly #listener: DeviceSocketListener;
  readonly #onTick = (now: number): void => this.#checkSilence(now);
  #lastHeardAt = performance.now();
  #opened = false;
  #closed = false;

  constructor(settings: DriverSettings, listener: DeviceSocketListener) {
    this.#settings = settings;
    this.#listener = listener;
    // A variable, not a literal in the call: @types/ws 8.18 does not know the `closeTimeout` of ws 8.23.
    const options = {
      perMessageDeflate: false,
      handshakeTimeout: settings.connectTimeoutMs,
      closeTimeout: CLOSE_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
    };
    this.#socket = new WebSocket(settings.socketUrl, options);
    settings.ticker.add(this.#onTick);
    this.#attach();
  }

  /** `done` is called with an error if the connection did not accept the frame. */
  send(frame: DeviceFrame, done?: (error?: Error) => void): void {
    this.#socket.send(JSON.stringify(frame), done);
  }

  /** Closes with a close frame. `closed` follows within `CLOSE_TIMEOUT_MS`, even when the network does not answer. */
  close(): void {
    this.#socket.close(1000);
  }

  /** Closes at once and does not call `closed`. */
  drop(): void {
    this.#closed = true;
    this.#settings.ticker.delete(this.#onTick);
    this.#socket.terminate();
  }

  #attach(): void {
    this.#socket.on('open', () => {
      this.#opened = true;
      this.#lastHeardAt = performance.now();
      this.#listener.opened();
    });
    this.#socket.on('message', (data) => {
      // Always a buffer: ws gives other types only on request.
      if (Buffer.isBuffer(data)) this.#read(data.toString('utf8'));
    });
    this.#socket.on('ping', () => {
      this.#lastHeardAt = performance.now();
    });
    // `close` follows each `error`, and only `close` matters here.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish());
  }

  #read(data: string): void {
    if (this.#closed) return;
    this.#lastHeardAt = performance.now();
    const frame = parseNetworkFrame(data);
    if (frame) this.#listener.frame(frame);
    else this.#finish();
  }

  #checkSilence(now: number): void {
    if (this.#opened && now - this.#lastHeardAt > this.#settings.silenceTimeoutMs) this.#finish();
  }

  #finish(): void {
    if (this.#closed) return;
    this.drop();
    this.#listener.closed(this.#opened ? 'connection_lost' : 'network_unavailable');
  }
}
