/** Requests of scheme 2 over HTTP, and what the api does if somebody alters them on their way. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, type Customer } from '../../test/customer-fixture.js';
import {
  aMessage,
  type CallOptions,
  call,
  freshTimestamp,
  type Sent,
  sendSigned,
  signedHeaders,
} from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const target = '/api/v1/messages/send';
const send = (options: CallOptions = {}) =>
  call(t.url, customer, 'sendMessage', { body: aMessage, version: 2, ...options });

function jobOf(answer: Sent): unknown {
  expect(answer.status, answer.body.error).toBe(200);
  return answer.body.data['job_id'];
}

/** The headers of a good request, and a function that sends it with other ones. */
function signedSend(headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify(aMessage);
  const given = { 'X-Device-Id': customer.deviceId, ...headers };
  const signed: Record<string, string> = signedHeaders({
    method: 'POST',
    target,
    body,
    key: customer.key,
    version: 2,
    headers: given,
  });
  return { signed, body };
}

/** Writes each header as given, twice if it is given twice, and returns status and body of the answer. */
async function sendRaw(lines: readonly string[], body: string): Promise<string> {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${target} HTTP/1.1`,
    `Host: ${hostname}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

describe('an altered request', () => {
  test('goes to no other device; scheme 1 would let it', async () => {
    const other = await createConnectedDevice(t.database, customer.accountId);
    const { signed, body } = signedSend();
    const answer = await sendRaw(linesOf({ ...signed, 'X-Device-Id': other }), body);
    expect(answer).toContain('HTTP/1.1 401');
    expect(answer).toContain('INVALID_SIGNATURE');
    expect(answer).toContain(`device id ${other}`);
    expect(await sendRaw(linesOf(signed), body)).toContain('HTTP/1.1 200');
    const key = { method: 'POST', target, body, key: customer.key, headers: { 'X-Device-Id': customer.deviceId } };
    const inSchemeOne = { ...signedHeaders(key), 'X-Device-Id': other };
    expect(await sendRaw(linesOf(inSchemeOne), body)).toContain('HTTP/1.1 200');
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['another Idempotency-Key', { 'Idempotency-Key': 'ord-1' }, { 'Idempotency-Key': 'ord-2' }],
    ['an added Idempotency-Key', {}, { 'Idempotency-Key': 'ord-2' }],
    ['scheme 1 instead', {}, { 'X-Signature-Version': '1' }],
    ['an unknown scheme', {}, { 'X-Signature-Version': '02' }],
  ])('with %s is refused', async (_, headers, change) => {
    const { signed, body } = signedSend(headers);
    const answer = await sendRaw(linesOf({ ...signed, ...change }), body);
    expect(answer).toContain('HTTP/1.1 401');
    expect(answer).toContain('INVALID_SIGNATURE');
  });

  test.each(['X-Signature-Version', 'X-Device-Id', 'Idempotency-Key', 'X-Signature', 'X-Timestamp'])(
    'with %s twice is refused, even if both are equal',
    async (name) => {
      const { signed, body } = signedSend({ 'Idempotency-Key': 'ord-1' });
      const answer = await sendRaw([...linesOf(signed), `${name}: ${signed[name]}`], body);
      expect(answer).toContain('HTTP/1.1 401');
    },
  );

  test.each(['X-Signature-Version', 'Idempotency-Key'])('without its %s is refused', async (name) => {
    const { signed, body } = signedSend({ 'Idempotency-Key': 'ord-1' });
    const { [name]: _left, ...rest } = signed;
    expect(await sendRaw(linesOf(rest), body)).toContain('INVALID_SIGNATURE');
  });
});

test('an operation without a device signs an empty field, or the X-Device-Id that it got all the same', async () => {
  expect((await call(t.url, customer, 'accountInfo', { version: 2 })).status).toBe(200);
  const headers = { 'X-Device-Id': customer.deviceId };
  expect((await call(t.url, customer, 'accountInfo', { version: 2, headers })).status).toBe(200);
});

test('an Idempotency-Key in UTF-8 or in Latin-1 is signed as the text that it is', async () => {
  const key = 'ord:1 é';
  const { signed, body } = signedSend({ 'Idempotency-Key': key });
  const first = await sendRaw(linesOf(signed), body);
  expect(first).toContain('HTTP/1.1 200');
  const latin1 = await send({ headers: { 'Idempotency-Key': key } });
  expect(first).toContain(String(jobOf(latin1)));
});

describe('a repeat', () => {
  test('of the same signature gets the first job', async () => {
    const timestamp = freshTimestamp();
    const first = jobOf(await send({ timestamp }));
    const again = await send({ timestamp });
    expect(jobOf(again)).toBe(first);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('under the other scheme is another signature, so a second message unless it has a client_ref', async () => {
    const timestamp = freshTimestamp();
    const first = jobOf(await send({ timestamp }));
    expect(jobOf(await send({ timestamp, version: undefined }))).not.toBe(first);
    const body = { ...aMessage, client_ref: 'ord-both' };
    const named = jobOf(await send({ timestamp, body }));
    expect(jobOf(await send({ timestamp, body, version: undefined }))).toBe(named);
  });

  test('to another device in the same millisecond is a second message, because the device is signed', async () => {
    const deviceId = await createConnectedDevice(t.database, customer.accountId);
    const timestamp = freshTimestamp();
    const first = jobOf(await send({ timestamp }));
    expect(jobOf(await send({ timestamp, deviceId }))).not.toBe(first);
  });

  test('of a change that is no send is refused', async () => {
    const parts = { method: 'POST', target: '/api/v1/account/renew', key: customer.key, version: 2 as const };
    const timestamp = freshTimestamp();
    await sendSigned(t.url, { ...parts, timestamp });
    expect((await sendSigned(t.url, { ...parts, timestamp })).body.code).toBe('REPLAYED_REQUEST');
  });
});
