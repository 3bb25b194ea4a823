import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, test } from 'vitest';
import { sessionEndOf } from './close-codes.js';
import { startLinking } from './testing/linking.js';
import { onTestBed, type TestBed } from './testing/test-bed.js';
import { createWhatsappDriver } from './whatsapp-driver.js';

const UNAVAILABLE: SessionEnd = { reason: 'network_unavailable', next: 'reconnect' };
const SLOWED = { reason: 'rate_limited_by_network', next: 'wait' } as const;
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** An edge that answers each WebSocket with this, and keeps the connection open. */
async function listen(head: string): Promise<string> {
  const server = createServer();
  servers.push(server);
  server.on('upgrade', (_request, socket: Socket) => {
    sockets.push(socket);
    // The client goes away in the middle of the body.
    socket.on('error', () => undefined);
    socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 1000000\r\n\r\nblocked`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object, not a pipe name.
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/chat`;
}

function driverAt(webSocketUrl: string) {
  const log = { debug: () => undefined, warn: () => undefined };
  // Longer than a test: nobody waits for it.
  return createWhatsappDriver({
    webSocketUrl,
    connectTimeoutMs: 120_000,
    ackTimeoutMs: 2_000,
    queryTimeoutMs: 2_000,
    log,
  });
}

async function endOfSession({ credentials }: TestBed, webSocketUrl: string): Promise<SessionEnd[]> {
  const ends: SessionEnd[] = [];
  driverAt(webSocketUrl).connect({
    deviceId: 'dev_1',
    epoch: 9n,
    credentials,
    events: {
      connected: () => undefined,
      acknowledged: async () => undefined,
      receipt: async () => undefined,
      inbound: async () => undefined,
      ended: (end) => void ends.push(end),
    },
  });
  await waitUntil('the session ended', () => ends.length > 0);
  return ends;
}

for (const [head, expected] of [
  ['403 Forbidden', UNAVAILABLE],
  ['401 Unauthorized', UNAVAILABLE],
  ['200 OK', UNAVAILABLE],
  ['503 Service Unavailable', UNAVAILABLE],
  ['429 Too Many Requests\r\nRetry-After: 30', SLOWED],
  ['429 Too Many Requests', SLOWED],
] as const) {
  test(
    `an edge that answers ${head.split('\r')[0]} ends the session at once as ${expected.reason}, and never the link`,
    onTestBed(async (bed) => {
      await bed.link();
      expect(await endOfSession(bed, await listen(head))).toMatchObject([expected]);
    }),
  );

  test(
    `an edge that answers ${head.split('\r')[0]} ends linking at once as ${expected.reason}`,
    onTestBed(async (bed) => {
      const { end, shown } = startLinking({ credentials: bed.credentials, driver: driverAt(await listen(head)) }, 'qr');
      expect(await end).toEqual({ kind: 'failed', reason: expected.reason });
      expect(shown).toEqual([]);
    }),
  );
}

test('a slowed session waits as long as the edge says, within an hour, or a minute', () => {
  const now = Date.UTC(2026, 10, 24);
  const waitMs = (retryAfter: unknown) => {
    const { until } = sessionEndOf({ code: 429, details: { retryAfter }, wasConnected: false }, now);
    return (until?.getTime() ?? 0) - now;
  };
  expect(['30', '999999', '0', '-5', 'soon', undefined].map(waitMs)).toEqual([
    30_000, 3_600_000, 60_000, 60_000, 60_000, 60_000,
  ]);
});
