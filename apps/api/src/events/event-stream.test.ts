/** Tests of a reader that stops reading. Its stream must end without harm to the process. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EventStream, openEventStream } from './event-stream.js';

const server = createServer();
let res: ServerResponse;
let stream: EventStream;
let reader: IncomingMessage;
const errors: unknown[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
  errors.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asked = once(server, 'request');
  // A listening TCP server has an address object.
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  const answered = once(request, 'response');
  res = (await asked)[1] as ServerResponse;
  res.on('error', (error) => errors.push(error));
  stream = openEventStream({ answer: res, res, trace: { isStream: false } });
  reader = (await answered)[0] as IncomingMessage;
  reader.on('error', () => undefined);
});
afterEach(async () => {
  vi.useRealTimers();
  reader.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const send = (bytes: number) => stream.send('1-1', { event: 'message', data: { rest: 'x'.repeat(bytes) } });

/** More than the socket buffers of both sides hold. */
const moreThanBuffers = 32 * 1024 * 1024;

test('nothing is written after the end, while the reader has not read everything', async () => {
  send(moreThanBuffers);
  stream.end();
  expect(res.closed).toBe(false);
  vi.advanceTimersByTime(4_000);
  expect(() => stream.end()).not.toThrow();
  vi.advanceTimersByTime(30_000);
  await stream.closed;
  expect(errors).toEqual([]);
});

test('a reader that is too far behind is disconnected at once', async () => {
  send(moreThanBuffers);
  send(1);
  await stream.closed;
  expect(res.destroyed).toBe(true);
  expect(errors).toEqual([]);
});

test('a reader that does not read the rest of an old stream is disconnected', async () => {
  send(moreThanBuffers);
  vi.advanceTimersByTime(120_000);
  expect(res.writableEnded).toBe(true);
  vi.advanceTimersByTime(20_000);
  await stream.closed;
  expect(errors).toEqual([]);
});

test('a stream for a browser that has left is closed at once', async () => {
  const closed = once(res, 'close');
  res.destroy();
  await closed;
  await openEventStream({
    answer: { ...res, writeHead: () => undefined, setHeader: () => undefined, end: () => undefined },
    res,
    trace: { isStream: false },
  }).closed;
  expect(vi.getTimerCount()).toBe(0);
});
