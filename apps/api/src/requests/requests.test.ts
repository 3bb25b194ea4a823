/** Tests the log of requests over HTTP: what leaves a row, whose it is, and what an outsider can write into it. */
import { limits } from '@kurir/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { signUp } from '../../test/person.js';
import { aMessage, call, freshTimestamp, sendSigned, signedHeaders } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
beforeEach(async () => {
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

type Row = {
  request_id: string;
  api_key: string;
  operation: string | null;
  method: string | null;
  path: string | null;
  status: number | null;
  code: string | null;
  address: string | null;
  duration_ms: number | null;
};

async function list(query?: string): Promise<Row[]> {
  const answer = await call(t.url, customer, 'listRequests', query === undefined ? {} : { query });
  expect(answer.status).toBe(200);
  return answer.body.data['requests'] as Row[];
}

/** The rows of others than the list itself. */
const others = async (query?: string) => (await list(query)).filter(({ operation }) => operation !== 'listRequests');
const patience = { timeout: 10_000 };

test('a request of a key is listed within seconds, with the pattern of its path and no content of it', async () => {
  const sent = await call(t.url, customer, 'sendMessage', {
    deviceId: customer.deviceId,
    body: { ...aMessage, message: 'secret words', phone_destination: '6281299988877' },
    headers: { 'X-Forwarded-For': '203.0.113.7' },
  });
  await call(t.url, customer, 'getMessage', { jobId: String(sent.body.data['job_id']) });
  await expect.poll(() => others(), patience).toHaveLength(2);
  const [read, made] = await others();
  expect(made).toMatchObject({
    request_id: sent.headers.get('X-Request-Id'),
    api_key: customer.key.id,
    operation: 'sendMessage',
    method: 'POST',
    path: '/api/v1/messages/send',
    status: 200,
    code: null,
    address: '203.0.113.7',
    duration_ms: expect.any(Number),
  });
  expect(read?.path).toBe('/api/v1/messages/{job_id}');
  const { rows } = await t.database.pool.query('SELECT r::text AS row FROM api_requests r WHERE account_id = $1', [
    customer.accountId,
  ]);
  const text = JSON.stringify(rows);
  for (const secret of ['secret words', '6281299988877', String(sent.body.data['job_id'])])
    expect(text).not.toContain(secret);
});

test('refusals have their code, and are found by it', async () => {
  await call(t.url, customer, 'getMessage', { jobId: 'msg_nobody' });
  await call(t.url, customer, 'accountInfo');
  await expect
    .poll(() => others('code=JOB_NOT_FOUND'), patience)
    .toMatchObject([{ status: 404, code: 'JOB_NOT_FOUND', operation: 'getMessage' }]);
  expect(await others('outcome=4xx')).toHaveLength(1);
  expect(await others('operation=accountInfo')).toMatchObject([{ status: 200 }]);
});

test('a wrong signature and a wrong clock are listed for the key, without what the sender made up', async () => {
  const target = '/api/v1/account/info?q=made-up';
  const key = { id: customer.key.id, secret: 'wrong' };
  await sendSigned(t.url, { method: 'GET', target, key, headers: { 'User-Agent': 'made-up' } });
  const late = String(Number(freshTimestamp()) - 3_600_000);
  await sendSigned(t.url, { method: 'GET', target, key: customer.key, timestamp: late });
  await expect.poll(() => others('outcome=4xx'), patience).toHaveLength(2);
  const rows = await others('outcome=4xx');
  expect(rows.map(({ code }) => code).toSorted()).toEqual(['INVALID_SIGNATURE', 'TIMESTAMP_OUT_OF_RANGE']);
  expect(JSON.stringify(rows)).not.toContain('made-up');
});

test('whoever only knows the id of a key fills neither the disk nor the list', async () => {
  const key = { id: customer.key.id, secret: 'wrong' };
  const target = '/api/v1/account/info';
  for (let i = 0; i < 3 * limits.requestLogUnsignedPerMinute; i++)
    await sendSigned(t.url, { method: 'GET', target, key });
  await call(t.url, customer, 'accountInfo');
  await expect.poll(() => others('outcome=2xx'), patience).toHaveLength(1);
  // The minute may end in the middle.
  expect((await others('code=INVALID_SIGNATURE&limit=100')).length).toBeLessThanOrEqual(
    2 * limits.requestLogUnsignedPerMinute,
  );
});

test('people leave no rows, and each account sees only its own', async () => {
  const stranger = await createCustomer(t.database);
  const { browser } = await signUp(t.url);
  await browser.call('accountInfo');
  await call(t.url, stranger, 'accountInfo');
  await call(t.url, customer, 'latestPlan');
  await expect.poll(() => others(), patience).toMatchObject([{ operation: 'latestPlan' }]);
  expect((await browser.call('listRequests')).body.data['requests']).toEqual([]);
});

test('a caller that goes away leaves a row without a status', async () => {
  const target = '/api/v1/events?wait=20';
  let waitMs = 300;
  const goAway = async () => {
    const headers = signedHeaders({ method: 'GET', target, key: customer.key });
    await expect(fetch(t.url + target, { headers, signal: AbortSignal.timeout(waitMs) })).rejects.toThrow();
    // On a busy machine the api has not begun to serve it. The next one waits longer.
    waitMs = Math.min(2 * waitMs, 5_000);
    return others('outcome=aborted');
  };
  await expect
    .poll(goAway, { timeout: 25_000, interval: 1_500 })
    .toContainEqual(expect.objectContaining({ operation: 'listEvents', status: null }));
});

test('a key needs the scope, and a test key sees nothing of the whole account', async () => {
  const target = '/api/v1/requests';
  for (const key of [
    await createKey(t.database, customer.accountId, { scopes: ['account:read'] }),
    await createKey(t.database, customer.accountId, { mode: 'test' }),
  ])
    expect((await sendSigned(t.url, { method: 'GET', target, key })).body.code).toBe('KEY_NOT_ALLOWED');
  const key = await createKey(t.database, customer.accountId, { scopes: ['requests:read'] });
  expect((await sendSigned(t.url, { method: 'GET', target, key })).status).toBe(200);
});

test('a database that takes no rows refuses no request, and the log says how many it lost', async () => {
  await t.database.pool.query('ALTER TABLE api_requests RENAME TO api_requests_away');
  try {
    expect((await call(t.url, customer, 'accountInfo')).status).toBe(200);
    await expect
      .poll(() => t.logs.some(({ text }) => text.includes('requests not recorded')), { timeout: 10_000 })
      .toBe(true);
  } finally {
    await t.database.pool.query('ALTER TABLE api_requests_away RENAME TO api_requests');
  }
});
