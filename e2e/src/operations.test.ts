/** The seven publicOperations of the specification: their answers, and every refusal that a caller can get. */
import { type ErrorCode, publicOperations, errorCatalogue, type PublicOperationName } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, withScope } from './customers/customer.js';
import { type SignedRequest, signedFetch, type WireAnswer } from './customers/signed-fetch.js';
import { newPhoneNumber, readTyping } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let customer: Customer;
/** An account without plan, period and linked device. */
let newcomer: Customer;

beforeAll(async () => {
  stack = await startStack();
  customer = await stack.createCustomer({ quota: 50, devices: 2 });
  newcomer = await stack.createNewcomer();
});
afterAll(() => stack?.stop());

const seven = [
  'sendMessage',
  'chatPresence',
  'renewAccount',
  'disconnectDevice',
  'deviceInfo',
  'accountInfo',
  'latestPlan',
] as const satisfies readonly PublicOperationName[];

const sendBody = (changes: object = {}) =>
  JSON.stringify({ message: 'hello', phone_destination: '6281234567890', ...changes });
const typingBody = (changes: object = {}) =>
  JSON.stringify({ action: 'start', phone_destination: '6281234567890', ...changes });

const bodies: Partial<Record<PublicOperationName, string>> = { sendMessage: sendBody(), chatPresence: typingBody() };

/** A valid request to an operation, with changes. */
function requestTo(operation: PublicOperationName, changes: Partial<SignedRequest> = {}): SignedRequest {
  const { method, path, device } = publicOperations[operation];
  const body = bodies[operation];
  return {
    method,
    target: path,
    ...(device ? { deviceId: customer.deviceId } : {}),
    ...(body === undefined ? {} : { body }),
    ...changes,
  };
}

const ask = (request: SignedRequest, as: Customer = customer) => signedFetch(stack.baseUrl, as, request);

function expectRefusal(answer: WireAnswer, code: ErrorCode): void {
  expect(answer.body).toEqual({ success: false, code, error: expect.any(String) });
  expect(answer.status).toBe(errorCatalogue[code].status);
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
}

function expectSuccess(operation: PublicOperationName, answer: WireAnswer): void {
  expect(answer.body).toMatchObject({ success: true, message: publicOperations[operation].message });
  expect(answer.status).toBe(200);
  // Strict, so that a field outside the contract fails the test.
  expect(Object.keys(answer.body).sort()).toEqual(['data', 'message', 'success']);
  expect(publicOperations[operation].data.safeParse(answer.body.data).success).toBe(true);
}

describe('every operation', () => {
  it.each(seven)('%s refuses a request with a wrong signature', async (operation) => {
    expectRefusal(await ask(requestTo(operation, { headers: { 'X-Signature': '' } })), 'MISSING_CREDENTIALS');
    expectRefusal(await ask(requestTo(operation, { headers: { 'X-Signature': '0'.repeat(64) } })), 'INVALID_SIGNATURE');
    expectRefusal(await ask(requestTo(operation, { headers: { 'X-API-Key': 'kk_test_nobody' } })), 'INVALID_API_KEY');
    const old = String(Math.floor(Date.now() / 1000) - 301);
    expectRefusal(await ask(requestTo(operation, { timestamp: old })), 'TIMESTAMP_OUT_OF_RANGE');
    if (publicOperations[operation].device)
      expectRefusal(await ask(requestTo(operation, { headers: { 'X-Device-Id': '' } })), 'MISSING_CREDENTIALS');
  });

  it.each(seven)('%s refuses a key that lacks its scope', async (operation) => {
    const scope = publicOperations[operation].scope === 'devices:read' ? 'account:read' : 'devices:read';
    const limited = await withScope(stack, customer, scope);
    expectRefusal(await ask(requestTo(operation), limited), 'KEY_NOT_ALLOWED');
  });

  it.each(['sendMessage', 'chatPresence', 'disconnectDevice', 'deviceInfo'] as const)(
    '%s knows only devices of the account',
    async (operation) => {
      const unknown = await ask(requestTo(operation, { deviceId: 'dev_00000000000000000000000000' }));
      expectRefusal(unknown, 'DEVICE_NOT_FOUND');
      const foreign = await ask(requestTo(operation), newcomer);
      expect(foreign.body).toEqual(unknown.body);
    },
  );

  it.each(['chatPresence', 'renewAccount'] as const)('%s refuses a repeat', async (operation) => {
    const timestamp = String(Date.now());
    expectSuccess(operation, await ask(requestTo(operation, { timestamp })));
    expectRefusal(await ask(requestTo(operation, { timestamp })), 'REPLAYED_REQUEST');
  });
});

describe('our own client', () => {
  it('sends one text to two devices, and starts, stops and starts the typing signal, all within one second', async () => {
    const phoneDestination = newPhoneNumber();
    const { client, deviceIds } = customer;
    const sent = deviceIds.map((deviceId) => client.sendMessage({ message: 'hello', phoneDestination }, { deviceId }));
    expect(new Set((await Promise.all(sent)).map(({ jobId }) => jobId)).size).toBe(2);
    for (const action of ['start', 'stop', 'start'] as const) await client.chatPresence({ action, phoneDestination });
  });
});

describe('send', () => {
  it('answers a job id, and answers a repeat with the same id', async () => {
    const request = requestTo('sendMessage', { timestamp: String(Date.now()) });
    const first = await ask(request);
    expectSuccess('sendMessage', first);
    const again = await ask(request);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectRefusal(await ask({ ...request, deviceId: customer.deviceIds[1] ?? '' }), 'REPLAYED_REQUEST');
  });

  it.each([
    ['MALFORMED_REQUEST', { body: '{"message":' }],
    ['UNSUPPORTED_MEDIA_TYPE', { headers: { 'Content-Type': 'text/plain' } }],
    ['PAYLOAD_TOO_LARGE', { body: sendBody({ message: 'x'.repeat(1_100_000) }) }],
    ['INVALID_REQUEST', { body: sendBody({ message: '' }) }],
    ['INVALID_REQUEST', { body: sendBody({ text: 'unknown field' }) }],
    ['INVALID_PHONE_NUMBER', { body: sendBody({ phone_destination: '0812' }) }],
  ] as const)('refuses with %s and stores nothing', async (code, changes) => {
    const before = await customer.client.accountInfo();
    expectRefusal(await ask(requestTo('sendMessage', changes)), code);
    expect(await customer.client.accountInfo()).toEqual(before);
  });

  it('refuses another message under a known client_ref', async () => {
    const send = (message: string) =>
      ask(requestTo('sendMessage', { body: sendBody({ message, client_ref: 'order-1' }) }));
    expectSuccess('sendMessage', await send('one'));
    expectRefusal(await send('two'), 'IDEMPOTENCY_KEY_REUSED');
  });

  it('refuses without a period, without quota and without a linked device', async () => {
    const deviceId = await newcomer.addDevice();
    expectRefusal(await ask(requestTo('sendMessage', { deviceId }), newcomer), 'PLAN_EXPIRED');
    const poor = await stack.createCustomer({ quota: 1 });
    const send = () => ask(requestTo('sendMessage', { deviceId: poor.deviceId }), poor);
    expectSuccess('sendMessage', await send());
    expectRefusal(await send(), 'QUOTA_EXHAUSTED');
    await poor.client.disconnectDevice();
    expectRefusal(await send(), 'DEVICE_NOT_CONNECTED');
  });
});

describe('chat presence', () => {
  it('reaches the phone', async () => {
    const phone = newPhoneNumber();
    expectSuccess(
      'chatPresence',
      await ask(requestTo('chatPresence', { body: typingBody({ phone_destination: phone }) })),
    );
    expect(JSON.stringify(await readTyping(stack, phone))).toContain('start');
  });

  it('refuses an action other than start and stop', async () => {
    expectRefusal(await ask(requestTo('chatPresence', { body: typingBody({ action: 'pause' }) })), 'INVALID_REQUEST');
    expectRefusal(
      await ask(requestTo('chatPresence', { body: typingBody({ phone_destination: 'x' }) })),
      'INVALID_PHONE_NUMBER',
    );
  });

  it('reports that Redis is away, or that the worker of the session does not answer', async () => {
    await stack.redis.cut();
    expectRefusal(await ask(requestTo('chatPresence')), 'SERVICE_UNAVAILABLE');
    await stack.redis.restore();
    await waitUntil(async () => (await ask(requestTo('chatPresence'))).status === 200, { what: 'typing is back' });
    stack.workers[0]?.signal('SIGSTOP');
    try {
      expectRefusal(await ask(requestTo('chatPresence')), 'DEVICE_TIMEOUT');
    } finally {
      stack.workers[0]?.signal('SIGCONT');
    }
  });
});

describe('account and plan', () => {
  it('show the plan that was bought and its present price', async () => {
    const info = await ask(requestTo('accountInfo'));
    expectSuccess('accountInfo', info);
    expect(info.body.data).toMatchObject({
      user_id: customer.accountId,
      plan_type: 'TIME_BASED',
      initial_quota: '50',
      days_left: 30,
    });
    const plan = await ask(requestTo('latestPlan'));
    expectSuccess('latestPlan', plan);
    expect(plan.body.data).toMatchObject({ duration: '30 hari', price: 50_000, quota: '50' });
  });

  it('show a newcomer no period and no choice, but the cheapest plan', async () => {
    expectRefusal(await ask(requestTo('accountInfo'), newcomer), 'NO_PLAN_CHOSEN');
    expectRefusal(await ask(requestTo('renewAccount'), newcomer), 'NO_PLAN_CHOSEN');
    expectSuccess('latestPlan', await ask(requestTo('latestPlan'), newcomer));
  });
});

describe('device', () => {
  it('shows its state, is unlinked once, and is then not linked', async () => {
    const deviceId = customer.deviceIds[1] ?? '';
    const info = await ask(requestTo('deviceInfo', { deviceId }));
    expectSuccess('deviceInfo', info);
    expect(info.body.data).toMatchObject({ device_id: deviceId, state: 'connected' });
    const gone = await ask(requestTo('disconnectDevice', { deviceId }));
    expectSuccess('disconnectDevice', gone);
    expect(gone.body.data).toEqual({ device_id: deviceId });
    expect((await ask(requestTo('deviceInfo', { deviceId }))).body.data).toMatchObject({ state: 'disconnected' });
    expectRefusal(await ask(requestTo('disconnectDevice', { deviceId })), 'DEVICE_NOT_LINKED');
    expectRefusal(await ask(requestTo('chatPresence', { deviceId })), 'DEVICE_NOT_CONNECTED');
  });
});

describe('a path without an operation', () => {
  it('answers in the same envelope', async () => {
    expectRefusal(await ask({ method: 'GET', target: '/api/v1/nothing' }), 'NOT_FOUND');
    expectRefusal(await ask({ method: 'GET', target: '/api/v1/messages/send' }), 'METHOD_NOT_ALLOWED');
  });
});
