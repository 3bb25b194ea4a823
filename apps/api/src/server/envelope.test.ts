/** Tests that every answer has one of the two envelopes, if an answer is possible. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { publicOperations, limits } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { expectErrorEnvelope, expectSuccessEnvelope } from '../../test/expect-envelope.js';
import { sendBytes } from '../../test/raw-http.js';
import { aMessage, sendSigned, signedHeaders } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;

beforeAll(async () => {
  t = await startTestApi();
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const sendPath = publicOperations.sendMessage.path;

async function answerTo(path: string, init: RequestInit = {}): Promise<{ code: string; headers: Headers }> {
  const answer = await fetch(t.url + path, init);
  expect(answer.headers.get('X-Request-Id')).toMatch(/^req_[0-9a-z]{26}$/);
  expect(answer.headers.get('X-Powered-By')).toBeNull();
  expect(answer.headers.get('ETag')).toBeNull();
  return { code: expectErrorEnvelope(answer.status, await answer.text()), headers: answer.headers };
}

describe('paths and methods', () => {
  test.each([
    '/nope',
    '/api',
    '/api/v1',
    '/api/v1/messages/',
    '/api/v1/messages/send/',
    '/API/V1/messages/send',
    '/api//v1/messages/send',
    '/api/v1/messages/x/cancel/y',
    '/docs//',
    '/docs/../package.json',
    '/docs/%2e%2e%2fpackage.json',
    '/pay',
    '/*',
    '/__proto__',
  ])('%s is not found', async (path) => {
    expect((await answerTo(path)).code).toBe('NOT_FOUND');
  });

  test.each([
    ['GET', sendPath, 'POST, OPTIONS'],
    ['DELETE', sendPath, 'POST, OPTIONS'],
    ['PUT', publicOperations.listMessages.path, 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/messages/bulk', 'POST, OPTIONS'],
    ['POST', '/api/v1/messages/msg_x', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/messages/msg_x/cancel', 'POST, OPTIONS'],
    ['PATCH', '/health/live', 'GET, HEAD, OPTIONS'],
    ['GET', '/callbacks/payments/sandbox', 'POST, OPTIONS'],
    ['DELETE', '/pay/some-token-of-nobody', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
  ])('%s %s is not allowed, and the answer lists the allowed methods', async (method, path, allow) => {
    const { code, headers } = await answerTo(path, { method });
    expect([code, headers.get('Allow')]).toEqual(['METHOD_NOT_ALLOWED', allow]);
  });

  test('OPTIONS lists the methods of a path and allows no other site', async () => {
    const answer = await fetch(t.url + sendPath, { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } });
    expect([answer.status, answer.headers.get('Allow'), await answer.text()]).toEqual([204, 'POST, OPTIONS', '']);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect((await answerTo('/nope', { method: 'OPTIONS' })).code).toBe('NOT_FOUND');
  });

  test('HEAD is signed as HEAD and answers without a body', async () => {
    const parts = { method: 'HEAD', target: publicOperations.accountInfo.path, key: customer.key };
    const answer = await fetch(t.url + parts.target, { method: 'HEAD', headers: signedHeaders(parts) });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each(['/api/v1/messages/%E0%A4%A', '/pay/%', '/api/v1/messages/%ff'])(
    'a bad encoding in %s is the fault of the caller',
    async (path) => {
      expect((await answerTo(path)).code).toBe('MALFORMED_REQUEST');
    },
  );
});

describe('bodies', () => {
  const headers = () => ({ 'X-Device-Id': customer.deviceId });
  const send = (body: string | Buffer, more: Record<string, string> = {}) =>
    sendSigned(t.url, {
      method: 'POST',
      target: sendPath,
      body,
      key: customer.key,
      headers: { ...headers(), ...more },
    });

  test.each([
    ['nothing', '', 415],
    ['half a JSON object', '{"message": ', 400],
    ['two values', '{} {}', 400],
    ['bad UTF-8', Buffer.from('{"message":"\xff"}', 'latin1'), 400],
    ['an overlong NUL', Buffer.from([0x7b, 0xc0, 0x80, 0x7d]), 400],
    ['UTF-16', Buffer.from(JSON.stringify(aMessage), 'utf16le'), 400],
    ['a million brackets', '['.repeat(1_000_000), 400],
    ['nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['nesting in a field', `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['nesting that is just allowed', `{"message":${'['.repeat(7)}${']'.repeat(7)}}`, 422],
    ['a huge number', `{"message": 1e999999}`, 422],
  ])('%s is refused', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    'json',
  ])('the content type %s is refused', async (type) => {
    expect((await send(JSON.stringify(aMessage), { 'Content-Type': type })).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; x=y',
  ])('the content type %s is accepted', async (type) => {
    expect((await send(JSON.stringify(aMessage), { 'Content-Type': type })).status).toBe(200);
  });

  test('a byte order mark before the JSON is refused', async () => {
    expect((await send(`\ufeff${JSON.stringify(aMessage)}`)).status).toBe(400);
  });

  test.each(['gzip', 'br', 'deflate', 'identity, gzip'])(
    'the encoding %s is refused before anything is hashed',
    async (encoding) => {
      expect((await send(JSON.stringify(aMessage), { 'Content-Encoding': encoding })).body.code).toBe(
        'UNSUPPORTED_MEDIA_TYPE',
      );
    },
  );

  test('the encoding identity is accepted', async () => {
    expect((await send(JSON.stringify(aMessage), { 'Content-Encoding': 'identity' })).status).toBe(200);
  });

  test('a body at the limit is read, and one more byte is refused', async () => {
    const padded = (bytes: number) => JSON.stringify(aMessage).padEnd(bytes, ' ');
    expect((await send(padded(limits.bodyMaxBytes))).status).toBe(200);
    expect((await send(padded(limits.bodyMaxBytes + 1))).body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('a body without a length is cut off at the limit, and the connection still works', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const signed = signedHeaders({ method: 'POST', target: sendPath, key: customer.key });
    const headers = Object.entries({ Host: 'x', ...signed, 'X-Device-Id': 'd', 'Transfer-Encoding': 'chunked' });
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = await sendBytes(t.url, `POST ${sendPath} HTTP/1.1\r\n${head}\r\n${chunk.repeat(20)}`);
    expect(expectErrorEnvelope(answer.status, answer.body)).toBe('PAYLOAD_TOO_LARGE');
  });

  test('a body for an operation without one must be signed, and is ignored', async () => {
    const parts = { method: 'POST', target: publicOperations.renewAccount.path, body: '{"x":1}', key: customer.key };
    expect((await sendSigned(t.url, parts)).status).toBe(200);
  });
});

describe('broken HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-Device-Id: a\u0000b\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a bad chunk',
      `POST ${sendPath} HTTP/1.1\r\nHost: x\r\nX-API-Key: a\r\nX-Timestamp: b\r\nX-Signature: c\r\nX-Device-Id: d\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts of a page', 'GET / HTTP/1.1\r\nHost: x\r\nhOst: y\r\n\r\n'],
    ['two equal hosts of an operation', `GET ${sendPath} HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n`],
    ['an unknown method', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is answered as malformed, with a request id', async (_, bytes) => {
    const answer = await sendBytes(t.url, bytes);
    expect(expectErrorEnvelope(answer.status, answer.body)).toBe('MALFORMED_REQUEST');
    expect(answer.headers).toMatch(/^X-Request-Id: req_/m);
  });

  test.each([
    ['a long address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['long headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s get 431, with a request id', async (_, bytes) => {
    const answer = await sendBytes(t.url, bytes);
    expect(expectErrorEnvelope(answer.status, answer.body)).toBe('HEADERS_TOO_LARGE');
    expect(answer.headers).toMatch(/^X-Request-Id: req_/m);
  });

  test.each([
    ['no path', `POST * HTTP/1.1\r\nHost: x\r\n\r\n`, 'NOT_FOUND'],
    ['an invalid host', `POST http://[::1${sendPath} HTTP/1.1\r\nHost: x\r\n\r\n`, 'MALFORMED_REQUEST'],
    ['an unreadable user', `POST x://%zz@x${sendPath} HTTP/1.1\r\nHost: x\r\n\r\n`, 'MALFORMED_REQUEST'],
    ['two slashes', `POST /${sendPath} HTTP/1.1\r\nHost: x\r\n\r\n`, 'NOT_FOUND'],
  ])('an address with %s gets an answer, and so does the next request', async (_, bytes, code) => {
    const answer = await sendBytes(t.url, bytes);
    expect(expectErrorEnvelope(answer.status, answer.body)).toBe(code);
    expect((await answerTo('/nope')).code).toBe('NOT_FOUND');
  });

  test('an address with a host finds its operation, and the signature covers the target as it was sent', async () => {
    const target = `http://gateway.example.com${publicOperations.accountInfo.path}`;
    const headers = Object.entries({ Host: 'x', ...signedHeaders({ method: 'GET', target, key: customer.key }) });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = await sendBytes(t.url, `GET ${target} HTTP/1.1\r\n${lines}\r\n`);
    expectSuccessEnvelope(answer.status, answer.body);
  });

  test('pipelined signed requests get their answers in order', async () => {
    const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`;
    const two = `${head(sendPath)}\r\n${head('/nope')}Connection: close\r\n\r\n`;
    const { hostname, port } = new URL(t.url);
    const socket = connect(Number(port), hostname);
    socket.write(two);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '404']);
  });

  test.each([
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'],
    ['an upgrade', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n'],
    ['an address with a host', 'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s does no harm', async (_, bytes) => {
    const answer = await sendBytes(t.url, bytes);
    expectSuccessEnvelope(answer.status, answer.body);
  });

  test('a caller who leaves in the middle of a body causes no error in the log', async () => {
    const before = t.logs.length;
    const { hostname, port } = new URL(t.url);
    const socket = connect(Number(port), hostname);
    const headers = signedHeaders({
      method: 'POST',
      target: sendPath,
      key: customer.key,
      headers: { 'X-Device-Id': 'x' },
    });
    const lines = Object.entries({ Host: 'x', 'Content-Length': '100', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST ${sendPath} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{"mess`);
    await waitUntil(() => socket.bytesWritten > 100, { what: 'the half request is written' });
    socket.resetAndDestroy();
    const line = await waitUntil(() => t.logs.slice(before).find((entry) => entry.text === 'request aborted'), {
      what: 'the request is given up',
    });
    expect(line.level).toBe('info');
    expect(t.logs.slice(before).filter((entry) => entry.level === 'error' || entry.level === 'warn')).toEqual([]);
  });

  test('pipelined requests of no operation get an answer', async () => {
    const agentless = await new Promise<string>((resolve, reject) => {
      const request = httpRequest(`${t.url}/health/live`, (answer) => resolve(String(answer.statusCode)));
      request.on('error', reject);
      request.end();
    });
    expect(agentless).toBe('200');
    const two = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2);
    expect((await sendBytes(t.url, two)).status).toBe(404);
  });
});
