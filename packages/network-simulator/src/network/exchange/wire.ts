/**
 * The network's end of one WebSocket of a device. After `end`, `reset` or the close of the socket, it neither reads nor
 * writes. It calls `closed` once.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type DeviceFrame, type EndReason, type NetworkFrame, parseDeviceFrame } from '../../protocol/frames.js';

export type WireListener = { frame(frame: DeviceFrame): void; closed(): void };

/** The first bytes of a frame that is longer than what is sent of it. */
const HALF_A_FRAME = Buffer.from([0x81, 0x20, 0x7b, 0x22, 0x74]);

export class Wire {
  readonly id: number;
  readonly #socket: WebSocket;
  readonly #raw: Duplex;
  #listener: WireListener | null = null;
  #over = false;
  #unanswered = 0;

  constructor(id: number, socket: WebSocket, raw: Duplex) {
    this.id = id;
    this.#socket = socket;
    this.#raw = raw;
    socket.on('message', (data) => {
      // Always a buffer: ws gives other types only on request.
      if (Buffer.isBuffer(data)) this.#read(data.toString('utf8'));
    });
    socket.on('pong', () => {
      this.#unanswered = 0;
    });
    // `close` follows each `error`, and only `close` matters here.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#finish());
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
  }

  send(frame: NetworkFrame): void {
    if (!this.#over) this.#socket.send(JSON.stringify(frame));
  }

  /** Sends the reason, then closes. */
  end(reason: EndReason, until?: number): void {
    if (this.#over) return;
    this.send(until === undefined ? { t: 'end', reason } : { t: 'end', reason, until });
    this.#finish();
    this.#socket.close(1000);
  }

  /** Resets the connection in the middle of a frame, without a reason. */
  reset(): void {
    if (this.#over) return;
    this.#finish();
    this.#raw.write(HALF_A_FRAME);
    if (this.#raw instanceof Socket) this.#raw.resetAndDestroy();
    else this.#raw.destroy();
  }

  hangUp(): void {
    this.#finish();
    this.#socket.terminate();
  }

  /**
   * Sends one ping. Returns false when two pings in a row had no answer. Two, because after a pause of this process its
   * timer fires before the waiting answers are read.
   */
  ping(): boolean {
    if (this.#unanswered >= 2) return false;
    this.#unanswered += 1;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    return true;
  }

  #read(data: string): void {
    if (this.#over) return;
    const frame = parseDeviceFrame(data);
    if (frame) this.#listener?.frame(frame);
    else this.end('protocol_error');
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener?.closed();
  }
}
