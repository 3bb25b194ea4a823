import { sha256Hex, verifyRequestSignature } from '@kurir/signing';
import { expect, test } from 'vitest';
import { prepareRequests, type RequestPlan } from './prepare-requests.js';

const plan: RequestPlan = {
  target: '/api/v1/messages/send',
  requests: 20,
  messages: 1,
  priority: 'otp',
  apiKey: 'kk_test_1',
  apiSecret: 'ks_test_1',
  deviceIds: ['dev_1', 'dev_2'],
};

function read(request: Buffer) {
  const [head = '', body = ''] = request.toString('utf8').split('\r\n\r\n');
  const header = (name: string) => new RegExp(`\r\n${name}: (.*)`).exec(head)?.[1] ?? '';
  return { body, header };
}

test('every request has a signature of its own that verifies', () => {
  const requests = prepareRequests(plan).map(read);
  expect(new Set(requests.map(({ header }) => header('X-Signature'))).size).toBe(20);
  for (const { body, header } of requests) {
    const [timestamp, signature, bodySha256] = [header('X-Timestamp'), header('X-Signature'), sha256Hex(body)];
    const received = { method: 'POST', target: plan.target, timestamp, bodySha256, signature, secrets: ['ks_test_1'] };
    expect(verifyRequestSignature(received)).toBe(0);
    expect(header('Content-Length')).toBe(String(Buffer.byteLength(body)));
  }
});

test('devices take turns', () => {
  const devices = prepareRequests(plan).map((request) => read(request).header('X-Device-Id'));
  expect(devices.slice(0, 4)).toEqual(['dev_1', 'dev_2', 'dev_1', 'dev_2']);
});

test('a bulk holds the planned number of messages, each to a recipient of its own', () => {
  const [request] = prepareRequests({ ...plan, target: '/api/v1/messages/bulk', requests: 1, messages: 1_000 });
  const { messages } = JSON.parse(read(request ?? Buffer.alloc(0)).body);
  const recipients = messages.map((message: { phone_destination: string }) => message.phone_destination);
  expect(new Set(recipients).size).toBe(1_000);
});

test('the recipients of the plan take turns', () => {
  const requests = prepareRequests({ ...plan, recipients: ['628150000001', '628150000002'] }).map(read);
  const recipients = requests.map(({ body }) => JSON.parse(body).phone_destination);
  expect(new Set(recipients.slice(0, 2)).size).toBe(2);
  expect(recipients.slice(2, 4)).toEqual(recipients.slice(0, 2));
  expect(new Set(requests.map(({ header }) => header('X-Signature'))).size).toBe(20);
});
