/** An HTTP server in the place of WhatsApp's server, and the end of a session that connects to it. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { CredentialStore, Driver, SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';

const servers: Server[] = [];
const sockets: Socket[] = [];

/** Returns its WebSocket address. `upgrade` is called for each client that asks for a WebSocket. */
export async function startForeignServer(upgrade: (request: IncomingMessage, socket: Socket) => void): Promise<string> {
  const server = createServer();
  servers.push(server);
  server.on('connection', (socket) => void sockets.push(socket));
  server.on('upgrade', upgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object, not a pipe name.
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/chat`;
}

export async function stopForeignServers(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
}

/** Connects a linked device and waits for the end of its session. */
export async function endOfSession(driver: Driver, credentials: CredentialStore): Promise<SessionEnd[]> {
  const ends: SessionEnd[] = [];
  driver.connect({
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
