/** Operators see the whole gateway and single accounts, and no content. */
import { addMember, setOperator } from '@kurir/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { type Person, signUp } from '../../test/person.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let operator: Person;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  operator = await signUp(t.url);
  await setOperator(t.database, operator.userId, true);
  customer = await createCustomer(t.database, { quota: 10 });
});
afterAll(() => t.close());

const ask = async (operation: 'adminShowGateway' | 'adminListWebhooks', parts = {}) =>
  (await operator.browser.call(operation, parts)).body.data;

const show = (accountId: string) => operator.browser.call('adminShowAccount', { params: { account_id: accountId } });

const send = (priority: 'otp' | 'bulk', more = {}) =>
  call(t.url, customer, 'sendMessage', { body: { ...aMessage, priority, ...more } });

test('the gateway shows what waits by priority, its devices, and that Redis has no limit', async () => {
  await send('otp');
  await send('bulk');
  await send('bulk', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
  const gateway = await ask('adminShowGateway');
  expect(gateway).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    whatsapp_version: null,
    devices_wanted: expect.any(Number),
    devices: [{ network: 'simulator', state: 'connected', devices: 1 }],
    queue: [
      { priority: 'otp', in_lanes: 1, waiting: 0, oldest_seconds: expect.any(Number) },
      { priority: 'normal', in_lanes: 0, waiting: 0, oldest_seconds: null },
      { priority: 'bulk', in_lanes: 1, waiting: 1, oldest_seconds: expect.any(Number) },
    ],
    webhooks: { working: 0, failing: 0, disabled: 0 },
    webhook_retries: { overdue: 0, later: 0, failed: 0 },
    broadcasts: [],
    redis: { state: 'up', max_bytes: null },
  });
  expect(gateway['database_bytes']).toBeGreaterThan(1e6);
  expect((gateway['redis'] as { used_bytes: number }).used_bytes).toBeGreaterThan(1e5);
  expect(Math.abs(Number(gateway['clock_skew_seconds']))).toBeLessThan(5);
});

test('a failing webhook is listed with its account and without the path of its address', async () => {
  const made = await call(t.url, customer, 'createWebhook', { body: { url: 'https://toko.example/secret-path' } });
  const { webhook_id: id } = made.body.data['webhook'] as { webhook_id: string };
  expect((await ask('adminListWebhooks'))['webhooks']).toEqual([]);
  await t.database.pool.query('UPDATE webhook_readers SET failing_since = now() WHERE webhook_id = $1', [id]);
  const listed = await ask('adminListWebhooks');
  expect(listed['webhooks']).toMatchObject([
    { webhook_id: id, account_id: customer.accountId, origin: 'https://toko.example', enabled: true, waiting: 0 },
  ]);
  expect(JSON.stringify(listed)).not.toContain('secret-path');
  expect((await ask('adminShowGateway'))['webhooks']).toEqual({ working: 0, failing: 1, disabled: 0 });
});

test('an account shows its people, devices, limits and statuses, and no recipient and no text', async () => {
  const answer = await show(customer.accountId);
  expect(answer.body.data).toMatchObject({
    members: [],
    devices: [{ device_id: customer.deviceId, state: 'connected', pace_per_minute: null, waiting: 3 }],
    device_count: 1,
    api_keys: 1,
    webhooks: 1,
    messages_24h: [{ status: 'queued', messages: 3 }],
  });
  expect(JSON.stringify(answer.body)).not.toContain(aMessage.phone_destination);
  const { members, devices } = (await show(operator.accountId)).body.data;
  expect([members, devices]).toEqual([[{ email: operator.email, role: 'owner' }], []]);
});

test('an unknown account is not found', async () => {
  expect((await show('acc_none')).body.code).toBe('ACCOUNT_NOT_FOUND');
});

test('the key of a suspended account is refused within seconds, its members read why, and it resumes as it was', async () => {
  const victim = await createCustomer(t.database, { quota: 1_000 });
  const member = await signUp(t.url);
  await addMember(t.database, victim.accountId, member.userId, 'owner');
  await member.browser.call('switchAccount', { body: { account_id: victim.accountId } });
  const params = { account_id: victim.accountId };
  const reason = 'Three people reported it.';
  const send = () => call(t.url, victim, 'sendMessage', { body: aMessage });
  const jobId = String((await send()).body.data['job_id']);
  const suspended = await operator.browser.call('adminSuspendAccount', { params, body: { reason } });
  expect(suspended.body.data).toMatchObject({ suspended_at: expect.any(String), suspended_reason: reason });
  await expect.poll(async () => (await send()).body.code, { timeout: 6_000 }).toBe('ACCOUNT_SUSPENDED');
  expect((await call(t.url, victim, 'getMessage', { jobId })).body.code).toBe('ACCOUNT_SUSPENDED');
  const changing = await member.browser.call('renameAccount', { body: { name: 'Other' } });
  expect([changing.body.code, changing.body.error]).toEqual(['ACCOUNT_SUSPENDED', expect.stringContaining(reason)]);
  expect((await member.browser.call('listDevices')).body.data['devices']).toMatchObject([
    { state_reason: 'account_suspended' },
  ]);
  expect((await member.browser.call('readMe')).body.data['account']).toMatchObject({ suspended_reason: reason });
  // A person may still change their own profile.
  expect((await member.browser.call('renameMe', { body: { name: 'Budi' } })).status).toBe(200);
  const resumed = await operator.browser.call('adminResumeAccount', { params });
  expect(resumed.body.data).toMatchObject({ suspended_at: null, suspended_reason: null });
  await expect.poll(async () => (await send()).status, { timeout: 6_000 }).toBe(200);
  expect((await call(t.url, victim, 'getMessage', { jobId })).body.data['status']).toBe('queued');
  const audit = await member.browser.call('listAudit', { query: 'group=account' });
  expect(JSON.stringify(audit.body.data)).toContain('account.suspended');
});
