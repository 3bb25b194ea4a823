import { isMessageId, limits, type MessageId, textContent } from '@kurir/contracts';
import { createAccountKeys, createSealer, readForRetry, revokeApiKey } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const send = (customer: Customer, options: CallOptions = {}) =>
  call(t.url, customer, 'sendMessage', { body: aMessage, ...options });

const jobOf = (answer: Sent): MessageId => {
  expect(answer.status, answer.body.error).toBe(200);
  const jobId = String(answer.body.data['job_id']);
  if (!isMessageId(jobId)) throw new Error(`${jobId} is no job id`);
  return jobId;
};

async function countMessages(customer: Customer): Promise<number> {
  const { rows } = await t.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1',
    [customer.accountId],
  );
  return rows[0]?.n ?? -1;
}

async function expectReplayed(answer: Sent, first: string): Promise<void> {
  expect(jobOf(answer)).toBe(first);
  expect(answer.headers.get('Idempotent-Replayed')).toBe('true');
}

describe('a repeat of the same signature', () => {
  test('gets the first job, marked as replayed, and stores nothing', async () => {
    const customer = await createCustomer(t.database);
    const timestamp = freshTimestamp();
    const first = await send(customer, { timestamp });
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    await expectReplayed(await send(customer, { timestamp }), jobOf(first));
    expect(await countMessages(customer)).toBe(1);
  });

  test('is the same signature in upper-case hex', async () => {
    const { key, deviceId, ...customer } = await createCustomer(t.database);
    const [method, target, body] = ['POST', '/api/v1/messages/send', JSON.stringify(aMessage)];
    const headers = signedHeaders({ method, target, body, key, headers: { 'X-Device-Id': deviceId } });
    const post = (signature: string) =>
      fetch(t.url + target, { method, body, headers: { ...headers, 'X-Signature': signature } }).then((answer) =>
        answer.json(),
      );
    const first = await post(headers['X-Signature']);
    expect(await post(headers['X-Signature'].toUpperCase())).toEqual(first);
    expect(await countMessages({ key, deviceId, ...customer })).toBe(1);
  });

  test('with another X-Device-Id is refused, whether that device exists or not', async () => {
    const customer = await createCustomer(t.database);
    const timestamp = freshTimestamp();
    jobOf(await send(customer, { timestamp }));
    const other = await createConnectedDevice(t.database, customer.accountId);
    for (const deviceId of [other, 'dev_nobody', 'x'.repeat(500)]) {
      const answer = await send(customer, { timestamp, deviceId });
      expect([answer.status, answer.body.code]).toEqual([409, 'REPLAYED_REQUEST']);
    }
    expect(await countMessages(customer)).toBe(1);
  });

  test('stores one message when it is sent fifty times in parallel', async () => {
    const customer = await createCustomer(t.database, { quota: 10 });
    const timestamp = freshTimestamp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(customer, { timestamp })));
    expect(new Set(answers.map(jobOf)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('Idempotent-Replayed') === 'true')).toHaveLength(49);
    expect(await countMessages(customer)).toBe(1);
    const info = await call(t.url, customer, 'accountInfo');
    expect(info.body.data).toMatchObject({ initial_quota: '10', remaining_quota: '9' });
  });
});

describe('a repeat still gets the first answer', () => {
  async function expectFirstAnswer(change: (customer: Customer) => Promise<unknown>): Promise<void> {
    const customer = await createCustomer(t.database, { quota: 1 });
    const timestamp = freshTimestamp();
    const body = { ...aMessage, client_ref: 'order-1' };
    const first = jobOf(await send(customer, { timestamp, body }));
    await change(customer);
    await expectReplayed(await send(customer, { timestamp, body }), first);
    await expectReplayed(await send(customer, { body }), first);
    expect((await send(customer)).status).not.toBe(200);
  }

  test('when the quota is used up', () => expectFirstAnswer(() => Promise.resolve()));

  test('when the plan has expired', () =>
    expectFirstAnswer(({ accountId }) =>
      t.database.pool.query(`UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`, [
        accountId,
      ]),
    ));

  test('when the device was unlinked', () =>
    expectFirstAnswer(({ deviceId }) =>
      t.database.pool.query(`UPDATE devices SET linked = false, state = 'disconnected' WHERE id = $1`, [deviceId]),
    ));

  test('when its send_at has passed since, although a new message with that time is refused', async () => {
    const customer = await createCustomer(t.database);
    const sendAt = Date.now() + 3_600_000;
    const body = { ...aMessage, send_at: new Date(sendAt).toISOString(), client_ref: 'late' };
    const first = jobOf(await send(customer, { body }));
    vi.useFakeTimers({ toFake: ['Date'], now: sendAt + 3_600_000 });
    try {
      await expectReplayed(await send(customer, { body }), first);
      const fresh = await send(customer, { body: { ...body, client_ref: 'new' } });
      expect(fresh.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringMatching(/^send_at: /) });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('client_ref', () => {
  test('gives the first job for the same device and fields, under any signature', async () => {
    const customer = await createCustomer(t.database);
    const body = { ...aMessage, client_ref: 'order-7781' };
    const first = jobOf(await send(customer, { body }));
    await expectReplayed(await send(customer, { body }), first);
    // Another order of the fields and an explicit default make no difference.
    await expectReplayed(
      await send(customer, { body: { client_ref: 'order-7781', priority: 'normal', ...aMessage } }),
      first,
    );
    expect(await countMessages(customer)).toBe(1);
  });

  test.each([
    ['text', { message: 'Another text' }],
    ['recipient', { phone_destination: '6281234567891' }],
    ['priority', { priority: 'otp' }],
    ['ttl', { ttl_seconds: 60 }],
  ])('for another %s is refused', async (_, change) => {
    const customer = await createCustomer(t.database);
    const body = { ...aMessage, client_ref: 'order-7781' };
    jobOf(await send(customer, { body }));
    const answer = await send(customer, { body: { ...body, ...change } });
    expect([answer.status, answer.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await countMessages(customer)).toBe(1);
  });

  test('for another device is refused', async () => {
    const customer = await createCustomer(t.database);
    const body = { ...aMessage, client_ref: 'order-7781' };
    jobOf(await send(customer, { body }));
    const deviceId = await createConnectedDevice(t.database, customer.accountId);
    expect((await send(customer, { body, deviceId })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('is free in another account', async () => {
    const body = { ...aMessage, client_ref: 'order-7781' };
    const jobs = await Promise.all(
      [1, 2].map(async () => jobOf(await send(await createCustomer(t.database), { body }))),
    );
    expect(new Set(jobs).size).toBe(2);
  });

  test('may come as the header Idempotency-Key', async () => {
    const customer = await createCustomer(t.database);
    const first = jobOf(await send(customer, { headers: { 'Idempotency-Key': 'ref-ä' } }));
    await expectReplayed(await send(customer, { body: { ...aMessage, client_ref: 'ref-ä' } }), first);
    const both = await send(customer, {
      body: { ...aMessage, client_ref: 'ref-ä' },
      headers: { 'Idempotency-Key': 'ref-ä' },
    });
    await expectReplayed(both, first);
  });

  test('in a different or too long header is refused, and the error names the header', async () => {
    const customer = await createCustomer(t.database);
    const differing = await send(customer, {
      body: { ...aMessage, client_ref: 'a' },
      headers: { 'Idempotency-Key': 'b' },
    });
    expect([differing.status, differing.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(differing.body.error).toMatch(/client_ref.*Idempotency-Key/);
    const long = await send(customer, { headers: { 'Idempotency-Key': 'x'.repeat(limits.clientRefMaxLength + 1) } });
    expect([long.status, long.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(await countMessages(customer)).toBe(0);
  });
});

describe('bad input changes nothing and names the field', () => {
  test.each([
    ['message', { message: '' }],
    ['message', { message: 'a\u0000b' }],
    ['message', { message: '\ud800' }],
    ['message', { message: 'x'.repeat(limits.messageMaxCodePoints + 1) }],
    ['message', { message: 7 }],
    ['message', { message: undefined }],
    ['phone_destination', { phone_destination: '+62 81' }],
    ['phone_destination', { phone_destination: 6281234567890 }],
    ['client_ref', { client_ref: '' }],
    ['client_ref', { client_ref: 'x'.repeat(65) }],
    ['priority', { priority: 'urgent' }],
    ['ttl_seconds', { ttl_seconds: 29 }],
    ['ttl_seconds', { ttl_seconds: 60.5 }],
    ['send_at', { send_at: 'tomorrow' }],
    ['send_at', { send_at: new Date(Date.now() + 31 * 86_400_000).toISOString() }],
    ['"extra"', { extra: 1 }],
    ['"__proto__"', JSON.parse('{"__proto__": {"x": 1}}') as object],
  ])('%s in %j', async (field, change) => {
    const customer = await createCustomer(t.database);
    const { key, deviceId } = customer;
    const fields = Object.entries({ ...aMessage, ...change });
    // This body is written out, because a spread would lose a field called __proto__.
    const body = Object.hasOwn(change, '__proto__')
      ? `{"message": "m", "phone_destination": "6281234567890", "__proto__": {"x": 1}}`
      : JSON.stringify(Object.fromEntries(fields));
    const parts = { method: 'POST', target: '/api/v1/messages/send', body, key, headers: { 'X-Device-Id': deviceId } };
    const answer = await sendSigned(t.url, parts);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toContain(field);
    expect(await countMessages(customer)).toBe(0);
  });

  test.each(['[]', 'null', '"text"', '1', '[{}]'])('a body that is %s', async (body) => {
    const { key, deviceId } = await createCustomer(t.database);
    const parts = { method: 'POST', target: '/api/v1/messages/send', body, key, headers: { 'X-Device-Id': deviceId } };
    expect((await sendSigned(t.url, parts)).body.code).toBe('INVALID_REQUEST');
  });
});

test('a text is stored exactly, with its white space, emoji and combining characters', async () => {
  const customer = await createCustomer(t.database);
  const message = `  \tKode: 493021 — jangan dibagikan 👩‍👩‍👧 é e\u0301\r\n`;
  const jobId = jobOf(await send(customer, { body: { ...aMessage, message } }));
  const keys = createAccountKeys(t.database, createSealer(masterKey));
  const kept = await readForRetry(t.database, keys, customer.accountId, jobId);
  expect(kept?.content).toEqual(textContent(message));
});

test('4,096 code points beyond the basic plane are one message', async () => {
  const customer = await createCustomer(t.database);
  jobOf(await send(customer, { body: { ...aMessage, message: '😀'.repeat(limits.messageMaxCodePoints) } }));
});

test('a revoked key soon stops working', async () => {
  const customer = await createCustomer(t.database);
  jobOf(await send(customer));
  await revokeApiKey(t.database, customer.accountId, customer.key.id);
  // api-key-cache.test.ts tests the time limit with its own clock.
  await expect
    .poll(async () => (await send(customer)).body.code, { timeout: 20_000, interval: 100 })
    .toBe('INVALID_API_KEY');
});

test('the time to live of a one-time code starts at acceptance, or at send_at', async () => {
  const customer = await createCustomer(t.database);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const jobs = [
    jobOf(await send(customer, { body: { ...aMessage, priority: 'otp' } })),
    jobOf(await send(customer, { body: { ...aMessage, priority: 'otp', send_at: sendAt } })),
    jobOf(await send(customer)),
  ];
  const { rows } = await t.database.pool.query(
    `SELECT round(extract(epoch FROM expires_at - coalesce(send_at, created_at)))::int AS ttl
     FROM messages WHERE id = ANY ($1::text[]) ORDER BY seq`,
    [jobs],
  );
  expect(rows).toEqual([{ ttl: limits.otpDefaultTtlSeconds }, { ttl: limits.otpDefaultTtlSeconds }, { ttl: null }]);
});
