import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
beforeEach(async () => {
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const recipient = '6281234567890';

async function sent(fields: object = {}): Promise<string> {
  const body = { phone_destination: recipient, message: 'Pesanan 7781 dikirim.', ...fields };
  const answer = await call(t.url, customer, 'sendMessage', { body, deviceId: customer.deviceId });
  return String(answer.body.data['job_id']);
}

const read = async (jobId: string, as = customer) => (await call(t.url, as, 'readMessageText', { jobId })).body;

async function noted(): Promise<unknown[]> {
  const { rows } = await t.database.pool.query(
    `SELECT actor, subject FROM audit_log WHERE action = 'message.read' AND account_id = $1`,
    [customer.accountId],
  );
  return rows;
}

test('a text is shown on request, and the audit log says who read it', async () => {
  const jobId = await sent();
  expect((await read(jobId)).data).toEqual({ job_id: jobId, text: 'Pesanan 7781 dikirim.', withheld: null });
  expect(await noted()).toEqual([{ actor: customer.key.id, subject: jobId }]);
});

test('a text that was erased is not shown, and the answer says so', async () => {
  const jobId = await sent();
  await t.database.pool.query('DELETE FROM message_contents WHERE message_id = $1', [jobId]);
  expect((await read(jobId)).data).toEqual({ job_id: jobId, text: null, withheld: 'erased' });
  expect(await noted()).toEqual([]);
});

test.each([{ priority: 'otp' }, { category: 'authentication' }])(
  'the text of a code is never shown: %j',
  async (fields) => {
    const jobId = await sent(fields);
    expect((await read(jobId)).data).toEqual({ job_id: jobId, text: null, withheld: 'one_time_code' });
    expect(await noted()).toEqual([]);
  },
);

test('neither another account nor a key without the scope reads it', async () => {
  const jobId = await sent();
  const stranger = await createCustomer(t.database);
  expect(await read(jobId, stranger)).toMatchObject({ code: 'JOB_NOT_FOUND' });
  const key = await createKey(t.database, customer.accountId, { scopes: ['messages:read'] });
  expect(await read(jobId, { ...customer, key })).toMatchObject({ code: 'KEY_NOT_ALLOWED' });
  expect(await noted()).toEqual([]);
});
