import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openConnection } from './keep-alive-connection.js';

const request = Buffer.from('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}');
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('one connection carries several answers', async () => {
  let connections = 0;
  const port = await serve((_req, res) => res.writeHead(200, { 'Content-Length': 4 }).end('søn'));
  servers[0]?.on('connection', () => connections++);
  const connection = await openConnection(port);
  expect(await connection.send(request)).toEqual({ status: 200, body: 'søn' });
  expect(await connection.send(request)).toEqual({ status: 200, body: 'søn' });
  expect(connections).toBe(1);
  connection.close();
});

test('the connection waits for an answer that comes in pieces', async () => {
  const body = 'x'.repeat(300_000);
  const port = await serve((_req, res) => {
    res.writeHead(429, { 'content-length': body.length });
    res.write(body.slice(0, 10));
    setTimeout(() => res.end(body.slice(10)), 10);
  });
  const connection = await openConnection(port);
  expect(await connection.send(request)).toEqual({ status: 429, body });
  connection.close();
});

test('a request rejects when the server hangs up', async () => {
  const port = await serve((req) => req.socket.destroy());
  const connection = await openConnection(port);
  await expect(connection.send(request)).rejects.toThrow('closed the connection');
});
