/**
 * The WebSocket side of the network's server. It upgrades devices' connections and pings all of them in rounds. It
 * closes a connection that did not answer two rounds.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { DEVICE_PATH, MAX_FRAME_BYTES } from '../protocol/frames.js';
import { isFromPage } from '../protocol/web-pages.js';
import { Wire } from './exchange/wire.js';

// A variable, not a literal in the call: @types/ws 8.18 does not know the `closeTimeout` of ws 8.23.
const SERVER_OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  closeTimeout: 2_000,
};

const refuse = (raw: Duplex, status: string) =>
  raw.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);

export class Switchboard {
  readonly #wires = new Set<Wire>();
  readonly #onWire: (wire: Wire) => void;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #upgrades = new WebSocketServer(SERVER_OPTIONS);
  #lastId: number;

  /** The first wire gets the number after `lastId`. */
  constructor(server: Server, keepAliveMs: number, lastId: number, onWire: (wire: Wire) => void) {
    this.#lastId = lastId;
    this.#onWire = onWire;
    this.#keepAlive = setInterval(() => this.#pingAll(), keepAliveMs);
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  close(): void {
    clearInterval(this.#keepAlive);
    for (const wire of this.#wires) wire.hangUp();
  }

  #upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
    if (request.url !== DEVICE_PATH) {
      refuse(raw, '404 Not Found');
      return;
    }
    // A browser lets every page open a WebSocket to this machine.
    if (isFromPage(request.headers)) {
      refuse(raw, '403 Forbidden');
      return;
    }
    this.#upgrades.handleUpgrade(request, raw, head, (socket) => {
      this.#lastId += 1;
      const wire = new Wire(this.#lastId, socket, raw);
      this.#wires.add(wire);
      socket.on('close', () => this.#wires.delete(wire));
      this.#onWire(wire);
    });
  }

  #pingAll(): void {
    for (const wire of this.#wires) {
      if (!wire.ping()) wire.hangUp();
    }
  }
}
