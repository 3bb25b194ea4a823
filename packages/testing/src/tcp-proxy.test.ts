import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreAllProxies, startTcpProxy } from './tcp-proxy.js';
import type { TcpProxy } from './tcp-proxy.js';

let echo: Server;
let proxy: TcpProxy;

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  proxy = await startTcpProxy(`redis://:secret@127.0.0.1:${address.port}/2`);
});

afterEach(async () => {
  await proxy.close();
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  socket.on('error', () => {}); // the proxy resets it
  await once(socket, 'connect');
  return socket;
}

/** Also resolves after an error. A reset may cause one, and `once` would then reject. */
function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

test('passes everything on and keeps the rest of the URL', async () => {
  expect(proxy.url).toMatch(/^redis:\/\/:secret@127\.0\.0\.1:\d+\/2$/);
  expect(await ask(await open(), 'hello')).toBe('hello');
});

test('cut resets connections and refuses new ones until it is restored', async () => {
  const socket = await open();
  const closed = whenClosed(socket);
  await proxy.cut();
  await closed;
  await expect(once(connect(Number(new URL(proxy.url).port), '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  await proxy.restore();
  expect(await ask(await open(), 'again')).toBe('again');
});

test('abandoned connections stay silent, and new ones work', async () => {
  const socket = await open();
  expect(await ask(socket, 'one')).toBe('one');
  const tellTarget = proxy.abandon();
  const answer = ask(socket, 'two');
  const ended = whenClosed(socket).then(() => 'ended');
  proxy.thaw();
  tellTarget();
  expect(await ask(await open(), 'three')).toBe('three');
  const silence = new Promise((resolve) => setTimeout(resolve, 60, 'silence'));
  expect(await Promise.race([answer, ended, silence])).toBe('silence');
  answer.catch(() => undefined);
});

test('a frozen proxy is silent and delivers after the thaw', async () => {
  const socket = await open();
  expect(await ask(socket, 'one')).toBe('one');
  proxy.freeze();
  const answer = ask(socket, 'two');
  expect(await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 60, 'silence'))])).toBe('silence');
  proxy.thaw();
  expect(await answer).toBe('two');
});

test('tear resets a connection in the middle of the next answer, and new connections work', async () => {
  const socket = await open();
  expect(await ask(socket, 'one')).toBe('one');
  proxy.tear();
  const closed = whenClosed(socket);
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  socket.write('abcdef');
  await closed;
  expect(['', 'abc']).toContain(String(Buffer.concat(heard)));
  expect(await ask(await open(), 'two')).toBe('two');
});

test('restoreAllProxies repairs cut and frozen proxies, and closed ones stay closed', async () => {
  const closed = await startTcpProxy(proxy.url);
  await closed.close();
  await proxy.cut();
  await restoreAllProxies();
  const socket = await open();
  expect(await ask(socket, 'after a cut')).toBe('after a cut');
  proxy.freeze();
  await restoreAllProxies();
  expect(await ask(socket, 'after a silence')).toBe('after a silence');
  await restoreAllProxies(); // nothing is cut
  await expect(once(connect(Number(new URL(closed.url).port), '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});
