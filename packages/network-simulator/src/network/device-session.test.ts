import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { DeviceSession } from './device-session.js';
import { Exchange } from './exchange.js';
import { Wire } from './wire.js';

test('an acknowledgement for a session that is over takes nothing from the next one', async () => {
  const exchange = await Exchange.open(undefined, 5);
  onTestFinished(() => exchange.close());
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  onTestFinished(() => socket.terminate());
  const [connection] = await Promise.all([once(server, 'connection'), once(socket, 'open')]);
  const [accepted, request] = connection as [WebSocket, IncomingMessage]; // as ws documents it
  const wire = new Wire(1, accepted, request.socket);
  const { device } = exchange.link('dev_1', '6281300000001');
  const session = new DeviceSession(exchange, device, wire, '1');
  session.open();
  wire.end('replaced');
  const waits = { frame: { t: 'receipt', n: 1, id: '3EB01', status: 'read' }, times: 1 } as const;
  device.outbox.add(waits);
  session.acknowledge('3EB01');
  expect(device.outbox.next()).toBe(waits);
});
