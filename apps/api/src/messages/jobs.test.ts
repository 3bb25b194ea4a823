import { publicOperations, messageStatuses } from '@kurir/contracts';
import { moveMessages } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

async function send(customer: Customer, change: object = {}): Promise<string> {
  const answer = await call(t.url, customer, 'sendMessage', { body: { ...aMessage, ...change } });
  return String(answer.body.data['job_id']);
}

type Job = Record<string, unknown> & { timeline: { status: string; at: string }[] };

async function look(customer: Customer, jobId: string): Promise<Job> {
  const answer = await call(t.url, customer, 'getMessage', { jobId });
  expect(answer.status).toBe(200);
  expect(() => publicOperations.getMessage.data.parse(answer.body.data)).not.toThrow();
  return answer.body.data as Job;
}

test('a job shows all fields of the request except the text', async () => {
  const customer = await createCustomer(t.database);
  const jobId = await send(customer, {
    client_ref: 'order-1',
    priority: 'bulk',
    category: 'transactional',
    ttl_seconds: 60,
  });
  const job = await look(customer, jobId);
  expect(job).toEqual({
    job_id: jobId,
    status: 'queued',
    reason: null,
    network_message_id: null,
    device_id: customer.deviceId,
    phone_destination: aMessage.phone_destination,
    priority: 'bulk',
    category: 'transactional',
    client_ref: 'order-1',
    broadcast_id: null,
    send_at: null,
    expires_at: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    waiting: null,
    attempts: 0,
    request_id: expect.any(String),
    sent_by: { id: customer.key.id, name: 'test' },
    can_cancel: true,
    can_retry: false,
    timeline: [{ status: 'queued', reason: null, at: job['created_at'] }],
  });
  expect(JSON.stringify(job)).not.toContain(aMessage.message);
});

test('the timeline follows the message to its end', async () => {
  const customer = await createCustomer(t.database);
  const id = await send(customer);
  await t.database.pool.query(`UPDATE messages SET status = 'sending', attempts = 1 WHERE id = $1`, [id]);
  await moveMessages(t.database.pool, [
    { id, to: 'sent' },
    { id, to: 'delivered' },
  ]);
  const job = await look(customer, id);
  expect(job.timeline.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered']);
  expect(job['network_message_id']).toMatch(/^3EB0[0-9A-F]{18}$/);
});

test('the timeline of a failed message gives the reason', async () => {
  const customer = await createCustomer(t.database);
  const id = await send(customer);
  await t.database.pool.query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = $1`, [id]);
  await t.database.pool.query(
    `UPDATE device_leases SET epoch = 1, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [customer.deviceId],
  );
  await moveMessages(t.database.pool, [{ id, to: 'failed', reason: 'recipient_not_on_network', ownerEpoch: 1n }]);
  const job = await look(customer, id);
  expect(job).toMatchObject({ attempts: 1, reason: 'recipient_not_on_network' });
  expect(job.timeline.at(-1)).toMatchObject({ status: 'failed', reason: 'recipient_not_on_network' });
});

describe('many jobs in one call', () => {
  const list = (customer: Customer, jobIds: string) =>
    call(t.url, customer, 'listMessages', { query: `job_ids=${jobIds}` });

  test('are listed up to a hundred, newest first, without unknown ids', async () => {
    const customer = await createCustomer(t.database, { quota: 200 });
    const bulk = { messages: Array.from({ length: 100 }, () => aMessage) };
    const sent = await call(t.url, customer, 'sendBulk', { body: bulk });
    const ids = (sent.body.data['results'] as { job_id: string }[]).map(({ job_id }) => job_id);
    await send(customer);
    const asked = [...ids.slice(1), 'msg_01kajp4m3s5y8zt0v6qk2c9hbe'];
    const { messages } = (await list(customer, asked.join(','))).body.data as { messages: { job_id: string }[] };
    expect(messages.map(({ job_id }) => job_id)).toEqual(ids.slice(1).reverse());
  });

  test.each(['', 'msg_1,', 'x', Array(101).fill('msg_01kajp4m3s5y8zt0v6qk2c9hbe').join(',')])(
    'are refused if the list is not valid: %j',
    async (jobIds) => {
      const answer = await list(await createCustomer(t.database), jobIds);
      expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
      expect(answer.body.error).toContain('job_ids');
    },
  );
});

test('a message for later is scheduled, and its job and the list show it', async () => {
  const customer = await createCustomer(t.database);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const jobId = await send(customer, { send_at: sendAt });
  const waiting = { reason: 'scheduled', until: sendAt };
  expect(await look(customer, jobId)).toMatchObject({ status: 'scheduled', waiting });
  const listed = await call(t.url, customer, 'listMessages', { query: 'status=scheduled' });
  expect(listed.body.data['messages']).toMatchObject([{ job_id: jobId, waiting }]);
});

test('a one-time code that waits for an allowance shows the reason', async () => {
  const customer = await createCustomer(t.database);
  await call(t.url, customer, 'updateDevice', { body: { new_contacts_per_day: 0 } });
  const jobId = await send(customer, { priority: 'otp' });
  expect(await look(customer, jobId)).toMatchObject({
    status: 'queued',
    reason: 'new_contacts_restricted',
    waiting: { reason: 'new_contact_allowance', until: null },
  });
});

test('cancelling gives the quota back only once', async () => {
  const customer = await createCustomer(t.database, { quota: 2 });
  const remaining = async () => (await call(t.url, customer, 'accountInfo')).body.data['remaining_quota'];
  const jobId = await send(customer);
  expect(await remaining()).toBe('1');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(t.url, customer, 'cancelMessage', { jobId })),
  );
  expect(answers.filter((answer) => answer.status === 200).map((answer) => answer.body.data)).toEqual([
    { job_id: jobId, status: 'cancelled' },
  ]);
  expect(answers.filter((answer) => answer.body.code === 'JOB_NOT_CANCELLABLE')).toHaveLength(9);
  expect(await remaining()).toBe('2');
  expect(await look(customer, jobId)).toMatchObject({ status: 'cancelled' });
});

test.each(messageStatuses.filter((status) => status !== 'queued'))(
  'a message that is %s cannot be cancelled',
  async (status) => {
    const customer = await createCustomer(t.database);
    const jobId = await send(customer);
    await t.database.pool.query('UPDATE messages SET status = $2, attempts = 1 WHERE id = $1', [jobId, status]);
    const answer = await call(t.url, customer, 'cancelMessage', { jobId });
    expect([answer.status, answer.body.code]).toEqual([409, 'JOB_NOT_CANCELLABLE']);
  },
);

describe('cancelling by a filter', () => {
  const cancel = (customer: Customer, filter: object) => call(t.url, customer, 'cancelMessages', { body: { filter } });

  test('cancels the waiting messages that match, gives their quota back, and leaves the others', async () => {
    const customer = await createCustomer(t.database, { quota: 10 });
    const [bulk, later, other, tried, sending] = [
      await send(customer, { priority: 'bulk' }),
      await send(customer, { priority: 'bulk', send_at: new Date(Date.now() + 3_600_000).toISOString() }),
      await send(customer, { priority: 'normal' }),
      await send(customer, { priority: 'bulk' }),
      await send(customer, { priority: 'bulk' }),
    ];
    await t.database.pool.query('UPDATE messages SET attempts = 1, unanswered = 1 WHERE id = $1', [tried]);
    await t.database.pool.query(`UPDATE messages SET attempts = 1, status = 'sending' WHERE id = $1`, [sending]);
    expect((await cancel(customer, { priority: 'bulk' })).body.data).toEqual({ cancelled: 2, has_more: false });
    const statusOf = async (jobId: string) => (await look(customer, jobId)).status;
    expect(await Promise.all([bulk, later, other, tried, sending].map(statusOf))).toEqual([
      'cancelled',
      'cancelled',
      'queued',
      'queued',
      'sending',
    ]);
    const info = await call(t.url, customer, 'accountInfo');
    expect(info.body.data['remaining_quota']).toBe('7');
    expect((await cancel(customer, { priority: 'bulk' })).body.data).toEqual({ cancelled: 0, has_more: false });
  });

  test.each<[string, (customer: Customer) => object]>([
    ['a device', ({ deviceId }) => ({ device_id: deviceId })],
    ['a number', () => ({ phone_destination: '6281234567899' })],
    ['a client_ref', () => ({ client_ref: 'wanted' })],
    ['a status', () => ({ status: 'queued' })],
    ['the time of acceptance', () => ({ since: new Date(Date.now() - 60_000).toISOString() })],
  ])('takes %s', async (_what, filterOf) => {
    const customer = await createCustomer(t.database);
    await send(customer, { phone_destination: '6281234567899', client_ref: 'wanted' });
    expect((await cancel(customer, filterOf(customer))).body.data['cancelled']).toBe(1);
  });

  test.each([
    ['nothing', {}],
    ['a status that does not wait', { status: 'sent' }],
    ['an unknown field', { colour: 'red' }],
    ['a time without offset', { since: '2026-11-21T09:00:00' }],
  ])('is refused if it names %s', async (_what, filter) => {
    const answer = await cancel(await createCustomer(t.database), filter);
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(answer.body.error).toMatch(/filter|colour/);
  });
});

test('a list since a time has the messages that changed since then, and a list between two times has those accepted between', async () => {
  const customer = await createCustomer(t.database);
  const [old, moved] = [await send(customer), await send(customer)];
  // Stored times are rounded to milliseconds, so the next message needs a later millisecond.
  const pause = () => t.database.pool.query<{ at: Date }>('SELECT clock_timestamp() AS at FROM pg_sleep(0.01)');
  const { rows } = await pause();
  const at = (rows[0]?.at ?? new Date()).toISOString();
  await pause();
  await call(t.url, customer, 'cancelMessage', { jobId: moved });
  const fresh = await send(customer);
  const find = async (query: object) => {
    const text = new URLSearchParams(Object.entries(query)).toString();
    const { body } = await call(t.url, customer, 'listMessages', { query: text });
    return publicOperations.listMessages.data.parse(body.data).messages.map((job) => job.job_id);
  };
  expect(await find({ updated_since: at })).toEqual([fresh, moved]);
  expect(await find({ since: at })).toEqual([fresh]);
  expect(await find({ until: at })).toEqual([moved, old]);
});

test('pages have no gaps and no repeats, newest first', async () => {
  const customer = await createCustomer(t.database);
  const sent: string[] = [];
  for (let i = 0; i < 7; i++) sent.push(await send(customer));
  const seen: unknown[] = [];
  let query = 'limit=3';
  for (;;) {
    const { body } = await call(t.url, customer, 'listMessages', { query });
    const page = publicOperations.listMessages.data.parse(body.data);
    seen.push(...page.messages.map((job) => job.job_id));
    if (page.next_cursor === null) break;
    query = `limit=3&cursor=${page.next_cursor}`;
  }
  expect(seen).toEqual(sent.toReversed());
});

test('filters narrow the list, and a filter that cannot match finds nothing', async () => {
  const customer = await createCustomer(t.database);
  const wanted = await send(customer, { phone_destination: '6281234567899', client_ref: 'ref ä+&' });
  await send(customer);
  const find = async (query: string) => {
    const { body } = await call(t.url, customer, 'listMessages', { query });
    return publicOperations.listMessages.data.parse(body.data).messages.map((job) => job.job_id);
  };
  expect(await find('phone_destination=6281234567899')).toEqual([wanted]);
  expect(
    await find(`client_ref=${encodeURIComponent('ref ä+&')}&status=queued&device_id=${customer.deviceId}`),
  ).toEqual([wanted]);
  expect(await find('client_ref=ref+%C3%A4%2B%26')).toEqual([wanted]);
  expect(await find('status=delivered')).toEqual([]);
  expect(await find('device_id=dev_nobody')).toEqual([]);
  expect(await find('unknown=1&status=queued')).toHaveLength(2);
});

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'status=lost',
  'cursor=-1',
  'client_ref=',
  'device_id=%00',
  'phone_destination=%00',
  'client_ref=%00',
])('the query %s is refused, and the error names the field', async (query) => {
  const customer = await createCustomer(t.database);
  const { status, body } = await call(t.url, customer, 'listMessages', { query });
  expect([status, body.code]).toEqual([422, 'INVALID_REQUEST']);
  expect(body.error).toContain(query.split('=')[0]);
});

test.each(['msg_', 'x', '%00', 'msg_01kajp4m3s5y8zt0v6qk2c9hbe', '..%2Fsend', `msg_${'0'.repeat(5_000)}`])(
  'the job id %s finds no job',
  async (jobId) => {
    const customer = await createCustomer(t.database);
    for (const operation of ['getMessage', 'cancelMessage'] as const)
      expect((await call(t.url, customer, operation, { jobId })).body.code).toBe('JOB_NOT_FOUND');
  },
);

test('a search for a text that cannot be stored is refused', async () => {
  const { status, body } = await call(t.url, await createCustomer(t.database), 'listMessages', { query: 'q=%00' });
  expect([status, body.code]).toEqual([422, 'INVALID_REQUEST']);
});
