/**
 * One client's connection. It cuts the WebSocket bytes into frames, each with three bytes of length. The first two
 * frames are the handshake; every later one is an encrypted stanza. It handles frames one at a time, in order. A
 * connection knows nothing of accounts: it passes what it reads to its handler.
 */
import type { Socket } from 'node:net';
import { decodeBinaryNodeStanza, encodeBinaryNodeStanza } from 'zapo-js/transport';
import type { WebSocket } from 'ws';
import type { ServerIdentity } from './certificate-chain.js';
import { answerClientHello, type Cipher, type HalfHandshake } from './noise.js';
import { type ClientPayload, readClientPayload } from './protobuf.js';
import { type Stanza, stanza } from './stanza.js';

export interface ConnectionHandler {
  opened(connection: Connection, payload: ClientPayload): Promise<void>;
  stanza(connection: Connection, received: Stanza): Promise<void>;
  closed(connection: Connection): void;
  /** The client broke the protocol, or the relay has a bug. The connection ends after this call. */
  failed(error: unknown): void;
}

/** The state that decides how a connection reads the next frame. */
type Stage =
  | { readonly name: 'header' }
  | { readonly name: 'hello'; readonly header: Buffer }
  | { readonly name: 'finish'; readonly handshake: HalfHandshake }
  | { readonly name: 'open'; readonly incoming: Cipher; readonly outgoing: Cipher }
  /** Half a frame is sent: the connection sends and reads nothing more. */
  | { readonly name: 'torn' };

const headerBytes = 4;
const lengthBytes = 3;
/** A client may send routing information of an earlier connection before the header: `ED`, two bytes, length, data. */
const routingMark = 'ED';
const routingPrefixBytes = 7;

export class Connection {
  private stage: Stage = { name: 'header' };
  private unread: Buffer = Buffer.alloc(0);
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: WebSocket,
    private readonly tcp: Socket,
    private readonly server: ServerIdentity,
    private readonly handler: ConnectionHandler,
  ) {
    socket.on('message', (data: Buffer) => this.read(data));
    socket.on('close', () => handler.closed(this));
    // A bad frame or a reset ends the socket. The event `close` follows and does the rest.
    socket.on('error', () => socket.terminate());
  }

  /** Returns false when the client is gone; then nothing was written. */
  send(sent: Stanza): boolean {
    if (this.stage.name !== 'open' || this.socket.readyState !== this.socket.OPEN) return false;
    this.socket.send(this.seal(this.stage.outgoing, sent));
    return true;
  }

  /** Sends a last stanza, then closes the socket in the normal way. */
  end(last?: Stanza): void {
    if (last) this.send(last);
    this.socket.close();
  }

  /** Ends the TCP connection with a reset. */
  reset(): void {
    this.tcp.resetAndDestroy();
  }

  /** Writes the first half of a frame, then resets the connection. */
  resetMidFrame(torn: Stanza = stanza('ib', { from: 's.whatsapp.net' })): void {
    if (this.stage.name !== 'open') return this.reset();
    const frame = this.seal(this.stage.outgoing, torn);
    this.stage = { name: 'torn' };
    this.socket.send(frame.subarray(0, Math.ceil(frame.length / 2)), () => this.reset());
  }

  private read(data: Buffer): void {
    this.work = this.work.then(() => this.take(data)).catch((error: unknown) => this.refuse(error));
  }

  private refuse(error: unknown): void {
    this.handler.failed(error);
    this.socket.terminate();
  }

  private async take(data: Buffer): Promise<void> {
    this.unread = Buffer.concat([this.unread, data]);
    if (this.stage.name === 'header' && !this.takeHeader()) return;
    for (let frame = this.nextFrame(); frame; frame = this.nextFrame()) await this.takeFrame(frame);
  }

  private takeHeader(): boolean {
    if (this.unread.subarray(0, 2).toString('latin1') === routingMark) {
      if (this.unread.length < routingPrefixBytes) return false;
      const end = routingPrefixBytes + this.unread.readUIntBE(4, lengthBytes);
      if (this.unread.length < end) return false;
      this.unread = this.unread.subarray(end);
    }
    if (this.unread.length < headerBytes) return false;
    this.stage = { name: 'hello', header: this.unread.subarray(0, headerBytes) };
    this.unread = this.unread.subarray(headerBytes);
    return true;
  }

  private nextFrame(): Buffer | null {
    if (this.unread.length < lengthBytes) return null;
    const end = lengthBytes + this.unread.readUIntBE(0, lengthBytes);
    if (this.unread.length < end) return null;
    const frame = this.unread.subarray(lengthBytes, end);
    this.unread = this.unread.subarray(end);
    return frame;
  }

  private async takeFrame(frame: Buffer): Promise<void> {
    switch (this.stage.name) {
      case 'hello': {
        const handshake = await answerClientHello(this.server, this.stage.header, frame);
        this.socket.send(withLength(handshake.serverHello));
        this.stage = { name: 'finish', handshake };
        return;
      }
      case 'finish': {
        const { payload, ...ciphers } = await this.stage.handshake.finish(frame);
        this.stage = { name: 'open', ...ciphers };
        return this.handler.opened(this, readClientPayload(payload));
      }
      case 'open': {
        const received = await decodeBinaryNodeStanza(this.stage.incoming.decrypt(frame));
        return this.handler.stanza(this, received);
      }
      case 'torn':
        return;
      case 'header':
        throw new Error('a frame before the header');
    }
  }

  private seal(outgoing: Cipher, sent: Stanza): Buffer {
    return withLength(outgoing.encrypt(encodeBinaryNodeStanza(sent)));
  }
}

function withLength(frame: Uint8Array): Buffer {
  const framed = Buffer.alloc(lengthBytes + frame.length);
  framed.writeUIntBE(frame.length, 0, lengthBytes);
  framed.set(frame, lengthBytes);
  return framed;
}
