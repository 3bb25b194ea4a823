import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { limits, publicOperations } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { signedHeaders } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const target = publicOperations.sendBulk.path;
const chunk = Buffer.alloc(64 * 1024, ' ');

type Conversation = { readonly socket: Socket; readonly text: () => string; readonly failure: () => Error | undefined };

function talk(): Conversation {
  const { hostname, port } = new URL(t.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  let failure: Error | undefined;
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', (error) => (failure = error));
  return { socket, text: () => text, failure: () => failure };
}

const head = (bytes: number, headers: Readonly<Record<string, string>> = {}, path: string = target) =>
  [
    `POST ${path} HTTP/1.1`,
    ...Object.entries({ Host: '127.0.0.1', 'Content-Length': String(bytes), ...headers }).map((line) =>
      line.join(': '),
    ),
    '\r\n',
  ].join('\r\n');

/** Writes until the declared length or the end of the connection. Resolves with the bytes that the connection took. */
function writeBody(socket: Socket, bytes: number): Promise<number> {
  const before = socket.bytesWritten;
  let left = bytes;
  const write = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', write);
  write();
  return new Promise((resolve) => socket.once('close', () => resolve(socket.bytesWritten - before)));
}

test('a sender who goes on writing reads the refusal, and is then disconnected long before the body ends', async () => {
  const bytes = 512 * 1024 * 1024;
  const { socket, text } = talk();
  socket.write(head(bytes, { 'X-API-Key': 'kk_live_x', 'X-Timestamp': '1', 'X-Signature': 'x', 'X-Device-Id': 'x' }));
  const ended = once(socket, 'end');
  const written = writeBody(socket, bytes);
  await ended;
  expect(text()).toContain('HTTP/1.1 401');
  expect(text()).toMatch(/^connection: close/im);
  expect(text()).toContain('"code":"TIMESTAMP_OUT_OF_RANGE"');
  // The buffers of the system hold a few megabytes.
  expect(await written).toBeLessThan(64 * 1024 * 1024);
});

test.each(['Content-Length', 'Transfer-Encoding'])(
  'a page that ignores a large body (%s) ends its connection',
  async (name) => {
    const { socket, text } = talk();
    const length = name === 'Content-Length' ? 'Content-Length: 99999999' : 'Transfer-Encoding: chunked';
    socket.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
    await once(socket, 'end');
    expect(text()).toMatch(/^HTTP\/1.1 200[^]*connection: close/i);
    socket.destroy();
  },
);

test('a body that is refused while it arrives ends its connection, too', async () => {
  const { socket, text } = talk();
  const headers = {
    Host: 'x',
    ...signedHeaders({ method: 'POST', target: publicOperations.sendMessage.path, key: customer.key }),
  };
  const lines = Object.entries({ ...headers, 'X-Device-Id': customer.deviceId }).map(
    ([key, value]) => `${key}: ${value}\r\n`,
  );
  socket.write(
    `POST ${publicOperations.sendMessage.path} HTTP/1.1\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`,
  );
  for (let i = 0; i < limits.bodyMaxBytes / chunk.length + 1; i++) socket.write(`10000\r\n${chunk.toString()}\r\n`);
  await once(socket, 'end');
  expect(text()).toMatch(/^HTTP\/1.1 413[^]*connection: close/i);
  socket.destroy();
});

test('a sender who leaves after the refusal is not waited for', async () => {
  const { socket, failure } = talk();
  socket.write(head(50_000_000));
  await once(socket, 'end');
  socket.end();
  await once(socket, 'close');
  expect(failure()).toBeUndefined();
});

test('a small body that is refused leaves its connection open', async () => {
  const { socket, text } = talk();
  const body = ' '.repeat(60_000);
  for (let i = 1; i <= 3; i++) {
    socket.write(head(body.length) + body);
    await waitUntil(() => text().split('HTTP/1.1 401').length === i + 1, { what: `answer ${i}` });
  }
  expect(text()).not.toMatch(/^connection: close/im);
  socket.destroy();
});

test('a large body that is read leaves its connection open', async () => {
  const { socket, text } = talk();
  const message = { message: 'x'.repeat(1_000), phone_destination: '1' };
  const body = JSON.stringify({ messages: Array.from({ length: 200 }, () => message) });
  for (let i = 1; i <= 2; i++) {
    const headers = signedHeaders({ method: 'POST', target, key: customer.key, body });
    socket.write(head(body.length, { ...headers, 'X-Device-Id': customer.deviceId }) + body);
    await waitUntil(() => text().split('HTTP/1.1 ').length === i + 1, { what: `answer ${i}` });
  }
  expect(text()).not.toMatch(/^connection: close/im);
  socket.destroy();
});

test('a request that is no HTTP reads its refusal although more of it arrives', async () => {
  const { socket, text } = talk();
  socket.write(Buffer.concat([Buffer.from(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`), ...Array(16).fill(chunk)]));
  await once(socket, 'end');
  expect(text()).toContain('HTTP/1.1 431');
  socket.destroy();
});
