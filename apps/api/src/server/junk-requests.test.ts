import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { limits } from '@kurir/contracts';
import { signRequest } from '@kurir/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const target = '/api/v1/messages/bulk';

type Headers = Readonly<Record<string, string>>;

/** Sends the headers of a request with a large body, and `sentBytes` of the body. The rest never comes. */
function begin(headers: Headers, declaredBytes: number, sentBytes: number): Socket {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ Host: hostname, 'Content-Length': String(declaredBytes), ...headers });
  socket.write(`POST ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(Buffer.alloc(sentBytes));
  return socket;
}

async function firstAnswer(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return chunk.toString();
}

const body = Buffer.alloc(limits.bulkBodyMaxBytes - 1);

const credentials = (change: Headers = {}): Headers => {
  const timestamp = String(Date.now());
  const signature = signRequest({ method: 'POST', target, timestamp, body, secret: customer.key.secret });
  return {
    'X-API-Key': customer.key.id,
    'X-Timestamp': timestamp,
    'X-Signature': signature,
    'X-Device-Id': customer.deviceId,
    'Content-Type': 'application/json',
    ...change,
  };
};

test.each([
  ['an unknown key', () => ({ 'X-API-Key': 'kk_live_nobody' }), 'INVALID_API_KEY'],
  ['a key that is none', () => ({ 'X-API-Key': 'kk_live_0' }), 'INVALID_API_KEY'],
  ['a time outside the window', () => ({ 'X-Timestamp': '1' }), 'TIMESTAMP_OUT_OF_RANGE'],
  ['a signature that is none', () => ({ 'X-Signature': 'x' }), 'INVALID_SIGNATURE'],
] as const)('%s is refused before the body arrives', async (_, change, code) => {
  const answer = await firstAnswer(begin(credentials(change()), body.length, 0));
  expect(answer).toContain('HTTP/1.1 401');
  expect(answer).toContain(`"code":"${code}"`);
});

test('a key that sends many large bodies at once gets 429, and its memory comes back', async () => {
  const held = Array.from({ length: 8 }, () => begin(credentials(), body.length, body.length - 1));
  await expect.poll(() => t.api.bodies.bytes, { timeout: 60_000 }).toBeGreaterThanOrEqual(8 * (body.length - 1));
  const answer = await firstAnswer(begin(credentials(), body.length, body.length - 1));
  expect(answer).toContain('HTTP/1.1 429');
  expect(answer).toMatch(/retry-after: 1/i);
  expect(answer).toMatch(/^ratelimit-policy: "body-bytes";q=67108864/im);
  expect(answer).toMatch(/^ratelimit: "body-bytes";r=\d+;t=1/im);
  for (const socket of held) socket.destroy();
  await expect.poll(() => t.api.bodies.bytes, { timeout: 60_000 }).toBe(0);
});

test.each([
  ['100 headers', 100, 'HTTP/1.1 401'],
  ['101 headers', 101, 'HTTP/1.1 431'],
] as const)('a request with %s', async (_, count, status) => {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  const junk = Array.from({ length: count - 1 }, (__, i) => `X-Junk-${i}: 1\r\n`).join('');
  socket.write(`GET /api/v1/account/info HTTP/1.1\r\nHost: ${hostname}\r\n${junk}\r\n`);
  const answer = await firstAnswer(socket);
  expect(answer).toContain(status);
  if (status.endsWith('431')) expect(answer).toContain('"code":"HEADERS_TOO_LARGE"');
});
