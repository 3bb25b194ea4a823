import type { SessionEnd } from '@kurir/network';
import { afterEach, expect, test } from 'vitest';
import { endOfSession, startForeignServer, stopForeignServers } from '../../test/foreign-server-fixture.js';
import { startLinking } from '../../test/linking-fixture.js';
import { withRelayFixture } from '../../test/relay-fixture.js';
import { createWhatsappDriver } from '../whatsapp-driver.js';
import { sessionEndOf } from './close-codes.js';

const UNAVAILABLE: SessionEnd = { reason: 'network_unavailable', next: 'reconnect' };
const SLOWED = { reason: 'rate_limited_by_network', next: 'wait' } as const;

afterEach(stopForeignServers);

/** An edge server that sends this response to each WebSocket request and keeps the connection open. */
const startEdge = (head: string): Promise<string> =>
  startForeignServer((_request, socket) => {
    // The client closes the connection in the middle of the body.
    socket.on('error', () => undefined);
    socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 1000000\r\n\r\nblocked`);
  });

function driverAt(webSocketUrl: string) {
  const log = { debug: () => undefined, warn: () => undefined };
  // Longer than the test, so that no timer fires.
  return createWhatsappDriver({
    webSocketUrl,
    connectTimeoutMs: 120_000,
    ackTimeoutMs: 2_000,
    queryTimeoutMs: 2_000,
    log,
  });
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
    `an edge server that answers ${head.split('\r')[0]} ends the session at once as ${expected.reason}, but never the link`,
    withRelayFixture(async (fixture) => {
      await fixture.link();
      expect(await endOfSession(driverAt(await startEdge(head)), fixture.credentials)).toMatchObject([expected]);
    }),
  );

  test(
    `an edge server that answers ${head.split('\r')[0]} ends linking at once as ${expected.reason}`,
    withRelayFixture(async (fixture) => {
      const { end, shown } = startLinking(
        { credentials: fixture.credentials, driver: driverAt(await startEdge(head)) },
        'qr',
      );
      expect(await end).toEqual({ kind: 'failed', reason: expected.reason });
      expect(shown).toEqual([]);
    }),
  );
}

test('a slowed session waits as long as the edge server says, at most an hour; by default a minute', () => {
  const now = Date.UTC(2026, 10, 24);
  const waitMs = (retryAfter: unknown) => {
    const { until } = sessionEndOf({ code: 429, details: { retryAfter }, wasConnected: false }, now);
    return (until?.getTime() ?? 0) - now;
  };
  expect(['30', '999999', '0', '-5', 'soon', undefined].map(waitMs)).toEqual([
    30_000, 3_600_000, 60_000, 60_000, 60_000, 60_000,
  ]);
});
