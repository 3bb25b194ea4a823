import { createHash } from 'node:crypto';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, test } from 'vitest';
import { endOfSession, startForeignServer, stopForeignServers } from '../../test/foreign-server-fixture.js';
import { withRelayFixture } from '../../test/relay-fixture.js';
import { createWhatsappDriver } from '../whatsapp-driver.js';

const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** Long enough for a real answer on a busy machine. */
const CONNECT_TIMEOUT_MS = 2_000;

afterEach(stopForeignServers);

/** A server that accepts connections. `answers` says whether it becomes a WebSocket before it falls silent. */
const startSilentServer = (answers: boolean): Promise<string> =>
  startForeignServer(({ headers }, socket) => {
    const key = `${headers['sec-websocket-key'] ?? ''}${WEBSOCKET_GUID}`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    if (answers) socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  });

function driverAt(webSocketUrl: string) {
  return createWhatsappDriver({
    webSocketUrl,
    connectTimeoutMs: 200,
    ackTimeoutMs: 2_000,
    queryTimeoutMs: 2_000,
    log: { debug: () => undefined, warn: () => undefined },
  });
}

for (const [what, answers] of [
  ['takes the connection and says nothing', false],
  ['becomes a WebSocket and says nothing', true],
] as const) {
  test(
    `a server that ${what} is given up, and tried again later`,
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const ends = await endOfSession(driverAt(await startSilentServer(answers)), fixture.credentials);
      expect(ends).toEqual([{ reason: 'network_unavailable', next: 'reconnect' }]);
    }),
  );
}

test(
  'a server that has answered is not given up',
  withRelayFixture(
    async (fixture) => {
      const { session, ends } = await fixture.online();
      const over = performance.now() + CONNECT_TIMEOUT_MS;
      await waitUntil('the time to connect is over', () => performance.now() > over);
      expect(ends).toEqual([]);
      expect(await session.send(fixture.message((await fixture.person()).number))).toEqual({ kind: 'sent' });
    },
    { connectTimeoutMs: CONNECT_TIMEOUT_MS },
  ),
);
