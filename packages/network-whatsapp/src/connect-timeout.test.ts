import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, test } from 'vitest';
import { onTestBed, type TestBed } from './testing/test-bed.js';
import { createWhatsappDriver } from './whatsapp-driver.js';

const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** Long enough for a real answer on a busy machine. */
const CONNECT_TIMEOUT_MS = 2_000;
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A server that takes connections; `answers` says whether it becomes a WebSocket before it falls silent. */
async function listen(answers: boolean): Promise<string> {
  const server = createServer();
  servers.push(server);
  server.on('connection', (socket) => void sockets.push(socket));
  server.on('upgrade', ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key'] ?? ''}${WEBSOCKET_GUID}`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    if (answers) socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object, not a pipe name.
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/chat`;
}

async function endOfSession(bed: TestBed, webSocketUrl: string): Promise<SessionEnd> {
  const ends: SessionEnd[] = [];
  const driver = createWhatsappDriver({
    webSocketUrl,
    connectTimeoutMs: 200,
    ackTimeoutMs: 2_000,
    queryTimeoutMs: 2_000,
    log: { debug: () => undefined, warn: () => undefined },
  });
  driver.connect({
    deviceId: 'dev_1',
    epoch: 9n,
    credentials: bed.credentials,
    events: {
      connected: () => undefined,
      acknowledged: async () => undefined,
      receipt: async () => undefined,
      inbound: async () => undefined,
      ended: (end) => void ends.push(end),
    },
  });
  await waitUntil('the session ended', () => ends.length > 0);
  return ends[0] ?? { reason: 'connection_lost', next: 'none' };
}

for (const [what, answers] of [
  ['takes the connection and says nothing', false],
  ['becomes a WebSocket and says nothing', true],
] as const) {
  test(
    `a server that ${what} is given up, and tried again later`,
    onTestBed(async (bed) => {
      await bed.link();
      const end = await endOfSession(bed, await listen(answers));
      expect(end).toEqual({ reason: 'network_unavailable', next: 'reconnect' });
    }),
  );
}

test(
  'a server that has answered is not given up',
  onTestBed(
    async (bed) => {
      const { session, ends } = await bed.online();
      const over = performance.now() + CONNECT_TIMEOUT_MS;
      await waitUntil('the time to connect is over', () => performance.now() > over);
      expect(ends).toEqual([]);
      expect(await session.send(bed.message((await bed.person()).number))).toEqual({ kind: 'sent' });
    },
    { connectTimeoutMs: CONNECT_TIMEOUT_MS },
  ),
);
