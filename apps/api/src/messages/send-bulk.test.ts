import { limits } from '@kurir/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, type CallOptions, call, freshTimestamp, type Sent } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const bulk = (customer: Customer, messages: unknown, options: CallOptions = {}) =>
  call(t.url, customer, 'sendBulk', { body: { messages }, ...options });

type Result = { job_id?: string; code?: string; error?: string };

function resultsOf(answer: Sent): Result[] {
  expect(answer.status, answer.body.error).toBe(200);
  // The assertions below check the shape.
  return answer.body.data['results'] as Result[];
}

const to = (phone: string, more: object = {}) => ({ ...aMessage, phone_destination: phone, ...more });

test('each message has its own result in order, and an invalid message refuses only itself', async () => {
  const customer = await createCustomer(t.database);
  const answer = await bulk(customer, [
    to('6281234567890'),
    to('0812'),
    7,
    to('6281234567891', { extra: 1 }),
    to('6281234567892'),
  ]);
  const results = resultsOf(answer);
  expect(results.map((result) => result.code ?? 'stored')).toEqual([
    'stored',
    'INVALID_PHONE_NUMBER',
    'INVALID_REQUEST',
    'INVALID_REQUEST',
    'stored',
  ]);
  expect(results[3]?.error).toContain('"extra"');
  const { rows } = await t.database.pool.query(
    'SELECT id, recipient FROM messages WHERE account_id = $1 ORDER BY seq',
    [customer.accountId],
  );
  expect(rows).toEqual([
    { id: results[0]?.job_id, recipient: '6281234567890' },
    { id: results[4]?.job_id, recipient: '6281234567892' },
  ]);
});

test('a thousand messages are stored in order, and a repeat gives the same jobs', async () => {
  const customer = await createCustomer(t.database);
  const messages = Array.from({ length: limits.bulkMaxMessages }, (_, i) => to(String(6281200000001 + i)));
  const timestamp = freshTimestamp();
  const first = await bulk(customer, messages, { timestamp });
  const again = await bulk(customer, messages, { timestamp });
  expect(again.body.data).toEqual(first.body.data);
  expect(first.headers.get('Idempotent-Replayed')).toBeNull();
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  const { rows } = await t.database.pool.query<{ id: string }>(
    'SELECT id FROM messages WHERE account_id = $1 ORDER BY seq',
    [customer.accountId],
  );
  expect(rows.map((row) => row.id)).toEqual(resultsOf(first).map((result) => result.job_id));
});

test('the same bulk request, sent twenty times in parallel, is stored once', async () => {
  const customer = await createCustomer(t.database, { quota: 100 });
  const messages = [to('6281234567890'), to('6281234567890'), to('6281234567891', { client_ref: 'a' })];
  const timestamp = freshTimestamp();
  const answers = await Promise.all(Array.from({ length: 20 }, () => bulk(customer, messages, { timestamp })));
  expect(new Set(answers.map((answer) => JSON.stringify(resultsOf(answer)))).size).toBe(1);
  const info = await call(t.url, customer, 'accountInfo');
  expect(info.body.data['remaining_quota']).toBe('97');
});

test('more than a thousand messages, none, or an unknown field refuse the request', async () => {
  const customer = await createCustomer(t.database);
  const tooMany = Array.from({ length: limits.bulkMaxMessages + 1 }, () => aMessage);
  for (const messages of [tooMany, [], {}, undefined])
    expect((await bulk(customer, messages)).body.code).toBe('INVALID_REQUEST');
  const unknown = await call(t.url, customer, 'sendBulk', { body: { messages: [aMessage], all: true } });
  expect(unknown.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining('"all"') });
});

test('messages beyond the quota are refused one by one', async () => {
  const customer = await createCustomer(t.database, { quota: 2 });
  const results = resultsOf(await bulk(customer, [to('6281234567890'), to('6281234567891'), to('6281234567892')]));
  expect(results.map((result) => result.code ?? 'stored')).toEqual(['stored', 'stored', 'QUOTA_EXHAUSTED']);
});

test('a refusal that concerns all of them is the answer to the request', async () => {
  const customer = await createCustomer(t.database);
  const answer = await bulk(customer, [aMessage, 7], { deviceId: 'dev_nobody' });
  expect([answer.status, answer.body.code]).toEqual([404, 'DEVICE_NOT_FOUND']);
});

test('client_ref finds repeats inside a bulk and among single sends', async () => {
  const customer = await createCustomer(t.database);
  const single = await call(t.url, customer, 'sendMessage', { body: { ...aMessage, client_ref: 'one' } });
  const results = resultsOf(
    await bulk(customer, [
      { ...aMessage, client_ref: 'one' },
      { ...aMessage, client_ref: 'two' },
      { ...aMessage, client_ref: 'two' },
      { ...aMessage, client_ref: 'two', message: 'other' },
    ]),
  );
  expect(results[0]?.job_id).toBe(single.body.data['job_id']);
  expect(results[2]).toEqual(results[1]);
  expect(results[3]?.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('an Idempotency-Key on a bulk is refused, because it could name only one message', async () => {
  const customer = await createCustomer(t.database);
  const answer = await bulk(customer, [aMessage], { headers: { 'Idempotency-Key': 'x' } });
  expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining('Idempotency-Key') });
});
