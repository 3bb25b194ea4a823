import { expect, test } from 'vitest';
import { readRequest } from './read-request.js';

test('HTTP text is split into its parts, with the body byte for byte', () => {
  const text =
    'POST /api/v1/messages/send?x=1 HTTP/1.1\r\nHost: h\r\nx-api-key: kk_1\r\nX-Timestamp: 17\r\nX-Signature: ab\r\nx-signature-version: 2\r\nX-Device-Id: dev_1\r\nIdempotency-Key: a:b\r\n\r\n{"a":1}\n\n{"b"}';
  expect(readRequest(text)).toEqual({
    method: 'POST',
    target: '/api/v1/messages/send?x=1',
    timestamp: '17',
    apiKey: 'kk_1',
    signature: 'ab',
    body: '{"a":1}\n\n{"b"}',
    version: '2',
    deviceId: 'dev_1',
    idempotencyKey: 'a:b',
  });
});

test('a curl command is split into its parts, with any kind of quotes', () => {
  const text = String.raw`curl -sS --max-time 10 -X post 'https://api.test/api/v1/messages/send?q=a%20b' \
  -H "X-API-Key: kk_1" --header='X-Timestamp: 17' \
  -H X-Signature:\ ab --data-raw '{"message":"it'\''s \"x\""}'`;
  expect(readRequest(text)).toEqual({
    method: 'POST',
    target: '/api/v1/messages/send?q=a%20b',
    timestamp: '17',
    apiKey: 'kk_1',
    signature: 'ab',
    body: String.raw`{"message":"it's \"x\""}`,
    version: '',
    deviceId: '',
    idempotencyKey: '',
  });
});

test('a curl command without a body is a GET request', () => {
  expect(readRequest('curl https://api.test')).toMatchObject({ method: 'GET', target: '/', body: '' });
});

test('anything else is not understood', () => {
  expect(readRequest('hello')).toBeNull();
  expect(readRequest('')).toBeNull();
});
