import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createLogger } from '@kurir/logging';
import { afterEach, expect, test } from 'vitest';
import { limitConnections } from './limit-connections.js';
import { listen, stopListening } from './listen.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(trustedProxies: number, limits = { processMax: 5, networkMax: 2 }) {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'api',
    level: 'info',
    pretty: false,
    destination: { write: (line) => lines.push(line) },
  });
  const server = createServer((_, res) => res.end('ok'));
  limitConnections(server, { logger, trustedProxies, limits });
  const port = await listen(server, { port: 0, host: '0.0.0.0' });
  const sockets: Socket[] = [];
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await stopListening(server, 100);
  });
  return {
    lines,
    /** Resolves with whether the server answers a request on a new connection from this address. */
    async isServed(localAddress = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
    },
    closeFirst: () => sockets[0]?.destroy(),
  };
}

test('a network that has too many connections gets no more, and another network does', async () => {
  const { isServed, lines } = await start(0);
  expect([await isServed(), await isServed(), await isServed(), await isServed()]).toEqual([true, true, false, false]);
  expect(await isServed('127.0.0.2')).toBe(true);
  expect(lines.filter((line) => line.includes('too many connections'))).toHaveLength(1);
});

test('a connection that ends gives its place back', async () => {
  const { isServed, closeFirst } = await start(0);
  await isServed();
  await isServed();
  closeFirst();
  await expect.poll(() => isServed()).toBe(true);
});

test('behind a trusted proxy only the limit of the process holds', async () => {
  const { isServed } = await start(1);
  const served = [];
  for (let i = 0; i < 7; i++) served.push(await isServed());
  expect(served).toEqual([true, true, true, true, true, false, false]);
});
