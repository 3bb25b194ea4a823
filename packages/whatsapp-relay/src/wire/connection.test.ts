import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Relay } from '../index.js';

const number = '4915100000001';

describe('a connection', () => {
  let relay: Relay;
  let failures: unknown[] = [];

  /** Opens a socket, sends these messages, and waits until the relay closes it. */
  async function closedAfter(...messages: readonly Buffer[]): Promise<void> {
    const socket = new WebSocket(relay.url);
    await new Promise((resolve) => socket.once('open', resolve));
    for (const message of messages) socket.send(message);
    await new Promise((resolve) => socket.once('close', resolve));
  }

  beforeAll(async () => {
    relay = await createRelay({ onFailure: (error) => failures.push(error) });
  });

  beforeEach(() => {
    failures = [];
  });

  afterAll(() => relay.close());

  it('is dropped when its first frame is rubbish', async () => {
    await closedAfter(Buffer.concat([Buffer.from('WA\x06\x03'), Buffer.from([0, 0, 4]), randomBytes(4)]));
    expect(failures).toHaveLength(1);
  });

  it('is dropped when its hello has no key', async () => {
    await closedAfter(Buffer.from('WA\x06\x03'), Buffer.from([0, 0, 2, 0x12, 0]));
    expect(failures).toHaveLength(1);
  });

  it('reads a hello that arrives byte by byte after routing information', async () => {
    const hello = Buffer.concat([Buffer.from([0x12, 0x22, 0x0a, 0x20]), randomBytes(32)]);
    const bytes = Buffer.concat([
      Buffer.from('ED\0\x01\0\0\x02ab', 'latin1'),
      Buffer.from('WA\x06\x03'),
      Buffer.from([0, 0, hello.length]),
      hello,
    ]);
    const socket = new WebSocket(relay.url);
    await new Promise((resolve) => socket.once('open', resolve));
    const answer = new Promise<Buffer>((resolve) => socket.once('message', resolve));
    for (const byte of bytes) socket.send(Buffer.from([byte]));
    expect((await answer).length).toBeGreaterThan(100);
    socket.terminate();
    expect(failures).toEqual([]);
  });

  it('serves a client that remembers the server’s key and one that does not', async () => {
    const recipient = await createRecipient(relay, number);
    await recipient.disconnect();
    await recipient.connect();
    expect(recipient.phone.devices()).toMatchObject([{ connected: true }]);
    await recipient.close();
    expect(failures).toEqual([]);
  });
});
