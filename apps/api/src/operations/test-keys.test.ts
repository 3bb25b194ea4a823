/** Tests that a test key reaches nothing outside the sandbox, and costs nothing inside it. */
import { type PublicOperation, publicOperationNames, publicOperations } from '@kurir/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { writeTo } from '../../test/inbound-fixture.js';
import { requestsWith } from '../../test/requests-with-names.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { createVictim, storedOf } from '../../test/victim-fixture.js';

let t: TestApi;
/** A customer on a real network. No test key may change it, so all tests of single operations share it. */
let shared: Awaited<ReturnType<typeof createVictim>>;
let tester: Customer;
beforeAll(async () => {
  t = await startTestApi();
  shared = await createVictim(t);
  await onRealNetwork(shared.victim);
  tester = await asTester(shared.victim);
});
afterAll(() => t.close());

/** The account seen by a test key of it. */
const asTester = async (customer: Customer): Promise<Customer> => ({
  ...customer,
  key: await createKey(t.database, customer.accountId, { mode: 'test' }),
});

/** From now on, all devices of the account belong to a real network. */
const onRealNetwork = ({ accountId }: Customer) =>
  t.database.pool.query(`UPDATE devices SET network = 'whatsapp' WHERE account_id = $1`, [accountId]);

/** The operations that leave out what the key may not see. */
const lists = ['listMessages', 'listDevices', 'listConversations', 'listEvents', 'listWebhooks', 'listBroadcasts'];

describe.each(publicOperationNames)('%s', (operation) => {
  const { testKeys }: PublicOperation = publicOperations[operation];

  test('shows and changes nothing of a real device', async () => {
    const { victim, names, secrets } = shared;
    const before = await storedOf(t, victim);
    const isList = lists.includes(operation);
    const query = operation === 'listEvents' ? { query: 'after=earliest' } : {};
    const answer = await call(t.url, tester, operation, isList ? query : requestsWith[operation](names));
    const expected = isList || testKeys === 'any' ? [200, undefined] : [403, 'KEY_NOT_ALLOWED'];
    expect([answer.status, answer.body.code]).toEqual(expected);
    const shown = JSON.stringify(answer.body.data ?? {});
    if (testKeys !== 'any') for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(await storedOf(t, victim)).toEqual(before);
  });
});

/** An account without a plan, with a real and a simulated device, each with a message and a conversation. */
async function createMixed() {
  const customer = await createCustomer(t.database, { quota: 10 });
  await onRealNetwork(customer);
  const sandboxId = await createConnectedDevice(t.database, customer.accountId);
  const sent = async (deviceId: Customer['deviceId']) =>
    String((await call(t.url, customer, 'sendMessage', { deviceId, body: aMessage })).body.data['job_id']);
  const [realJob, sandboxJob] = [await sent(customer.deviceId), await sent(sandboxId)];
  const [, sandboxChat] = [
    await writeTo(t.database, customer.deviceId, 'real'),
    await writeTo(t.database, sandboxId, 'test'),
  ];
  await t.database.pool.query(
    `UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`,
    [customer.accountId],
  );
  return { customer, tester: await asTester(customer), sandboxId, realJob, sandboxJob, sandboxChat };
}

const takenBy = async ({ accountId }: Customer) => {
  const text =
    'SELECT taken_quota AS taken, reserved_quota AS reserved FROM subscription_periods WHERE account_id = $1';
  return (await t.database.pool.query(text, [accountId])).rows as unknown[];
};

test('sends and broadcasts on a simulated device without a plan, takes no quota and gives none back', async () => {
  const { customer, tester, sandboxId, realJob } = await createMixed();
  const before = await takenBy(customer);
  const send = () => call(t.url, tester, 'sendMessage', { deviceId: sandboxId, body: aMessage });
  const [jobId, cancelled] = [await send(), await send()].map(({ body }) => String(body.data['job_id']));
  expect([jobId, cancelled]).toEqual([expect.stringMatching(/^msg_/), expect.stringMatching(/^msg_/)]);
  expect((await call(t.url, tester, 'cancelMessage', { jobId: cancelled ?? '' })).status).toBe(200);
  const bulk = { deviceId: sandboxId, body: { messages: [aMessage, aMessage] } };
  expect((await call(t.url, tester, 'sendBulk', bulk)).status).toBe(200);
  const audience = { rows: [{ phone: '6281234567890' }] };
  const made = await call(t.url, tester, 'createBroadcast', {
    body: { name: 'Uji', message: 'Halo', category: 'transactional', device_ids: [sandboxId], audience },
  });
  const broadcastId = String(made.body.data['broadcast_id']);
  expect((await call(t.url, tester, 'checkBroadcast', { broadcastId })).status).toBe(200);
  const started = await call(t.url, tester, 'startBroadcast', { broadcastId, body: { confirm_any_hour: true } });
  expect(started.body).toMatchObject({ success: true });
  expect((await call(t.url, tester, 'cancelBroadcast', { broadcastId })).status).toBe(200);
  expect(await takenBy(customer)).toEqual(before);
  // The message of the live key did pay.
  expect((await call(t.url, customer, 'cancelMessage', { jobId: realJob })).status).toBe(200);
  expect(await takenBy(customer)).not.toEqual(before);
});

test('lists and cancels only what belongs to simulated devices', async () => {
  const { tester, sandboxId, realJob, sandboxJob, sandboxChat } = await createMixed();
  const list = async (operation: 'listMessages' | 'listDevices' | 'listConversations', of: string, id: string) => {
    const { [of]: rows } = (await call(t.url, tester, operation, {})).body.data;
    return (rows as Record<string, unknown>[]).map((row) => row[id]);
  };
  expect(await list('listMessages', 'messages', 'job_id')).toEqual([sandboxJob]);
  expect(await list('listDevices', 'devices', 'device_id')).toEqual([sandboxId]);
  expect(await list('listConversations', 'conversations', 'conversation_id')).toEqual([sandboxChat]);
  const events = async () => {
    const feed = await call(t.url, tester, 'listEvents', { query: 'after=earliest&limit=100' });
    return (feed.body.data['events'] as { device_id: string }[]).map((event) => event.device_id);
  };
  await expect.poll(events, { timeout: 5_000 }).toContain(sandboxId);
  expect(new Set(await events())).toEqual(new Set([sandboxId]));
  const cancelled = await call(t.url, tester, 'cancelMessages', { body: { filter: { priority: 'normal' } } });
  expect(cancelled.body.data).toMatchObject({ cancelled: 1, has_more: false });
  expect((await call(t.url, tester, 'getMessage', { jobId: sandboxJob })).body.data['status']).toBe('cancelled');
  const hidden = await call(t.url, tester, 'getMessage', { jobId: realJob });
  expect([hidden.status, hidden.body.code]).toEqual([403, 'KEY_NOT_ALLOWED']);
});

test('has webhooks of simulated devices only, and resends none of another device’s events to them', async () => {
  const { customer, tester, sandboxId } = await createMixed();
  const url = 'https://example.com/hook';
  const create = (body: object) => call(t.url, tester, 'createWebhook', { body: { url, ...body } });
  expect((await create({})).body.code).toBe('KEY_NOT_ALLOWED');
  expect((await create({ device_ids: [sandboxId, customer.deviceId] })).body.code).toBe('KEY_NOT_ALLOWED');
  const { webhook } = (await create({ device_ids: [sandboxId] })).body.data as { webhook: { webhook_id: string } };
  const { webhook_id: webhookId } = webhook;
  await call(t.url, customer, 'createWebhook', { body: { url } });
  const listed = (await call(t.url, tester, 'listWebhooks', {})).body.data['webhooks'] as object[];
  expect(listed).toMatchObject([{ webhook_id: webhookId }]);
  const change = (body: object) => call(t.url, tester, 'updateWebhook', { webhookId, body });
  expect((await change({ device_ids: [] })).body.code).toBe('KEY_NOT_ALLOWED');
  expect((await change({ enabled: true })).status).toBe(200);
  const eventOfCustomer = async () => {
    const feed = await call(t.url, customer, 'listEvents', { query: `after=earliest&device_id=${customer.deviceId}` });
    return (feed.body.data['events'] as { id: string }[])[0]?.id ?? '';
  };
  await expect.poll(eventOfCustomer, { timeout: 5_000 }).not.toBe('');
  const eventId = await eventOfCustomer();
  const resend = await call(t.url, tester, 'resendEvent', { eventId, body: { webhook_id: webhookId } });
  expect([resend.status, resend.body.code]).toEqual([403, 'KEY_NOT_ALLOWED']);
});

test('a webhook that was narrowed to simulated devices shows and sends no event of before', async () => {
  const { customer, tester, sandboxId } = await createMixed();
  const made = await call(t.url, customer, 'createWebhook', { body: { url: 'https://example.com/hook' } });
  const { webhook_id: webhookId } = made.body.data['webhook'] as { webhook_id: string };
  const attempt = (column: string) =>
    t.database.pool.query(
      `INSERT INTO ${column === 'failed_at' ? 'webhook_retries' : 'webhook_attempts'} (webhook_id, generation, xid, seq, event_at,
         ${column === 'failed_at' ? 'subject_id, sequence, tries, failed_at' : 'event_id, type, tries, outcome, duration_ms'})
       SELECT $1, generation, xid, seq, at, ${column === 'failed_at' ? 'subject_id, sequence, 10, now()' : `'evt_1', kind, 1, 'failed', 1`}
       FROM events WHERE account_id = $2 AND device_id = $3 AND kind = 'message.accepted'`,
      [webhookId, customer.accountId, customer.deviceId],
    );
  await attempt('outcome');
  await call(t.url, customer, 'updateWebhook', { webhookId, body: { device_ids: [sandboxId] } });
  const attempts = async (who: Customer) =>
    ((await call(t.url, who, 'listWebhookAttempts', { webhookId })).body.data['attempts'] as object[]).length;
  expect([await attempts(customer), await attempts(tester)]).toEqual([1, 0]);
  await attempt('failed_at');
  const moved = await call(t.url, tester, 'updateWebhook', { webhookId, body: { url: 'https://example.org/x' } });
  expect([moved.status, moved.body.code]).toEqual([403, 'KEY_NOT_ALLOWED']);
  expect((await call(t.url, tester, 'listFailedEvents', { webhookId })).body.code).toBe('KEY_NOT_ALLOWED');
});

test('a test and a real message may have the same client_ref', async () => {
  const { customer, tester, sandboxId } = await createMixed();
  await t.database.pool.query(
    `UPDATE subscription_periods SET ends_at = now() + interval '1 day' WHERE account_id = $1`,
    [customer.accountId],
  );
  const send = async (who: Customer, deviceId: Customer['deviceId']) =>
    (await call(t.url, who, 'sendMessage', { deviceId, body: { ...aMessage, client_ref: 'pesanan-1' } })).body.data[
      'job_id'
    ];
  const [test1, live1] = [await send(tester, sandboxId), await send(customer, customer.deviceId)];
  expect([await send(tester, sandboxId), await send(customer, customer.deviceId)]).toEqual([test1, live1]);
  expect(test1).not.toBe(live1);
});

test('its broadcast gets no real device, also not from a live key', async () => {
  const { customer, tester, sandboxId } = await createMixed();
  const body = { name: 'Uji', message: 'Halo', device_ids: [sandboxId] };
  const made = await call(t.url, tester, 'createBroadcast', { body });
  const broadcastId = String(made.body.data['broadcast_id']);
  const listed = (await call(t.url, tester, 'listBroadcasts', {})).body.data['broadcasts'];
  expect(listed).toMatchObject([{ broadcast_id: broadcastId }]);
  const moved = { broadcastId, body: { device_ids: [customer.deviceId] } };
  expect((await call(t.url, customer, 'updateBroadcast', moved)).body.code).toBe('DEVICE_NOT_FOUND');
  const audience = { contacts: {} };
  const chosen = await call(t.url, tester, 'createBroadcast', { body: { ...body, audience } });
  expect(chosen.body.code).toBe('KEY_NOT_ALLOWED');
});

test('creates devices of the simulated network only', async () => {
  const tester = await asTester(await createCustomer(t.database));
  const create = (body: object) => call(t.url, tester, 'createDevice', { body: { name: 'Toko', ...body } });
  expect((await create({})).body.code).toBe('KEY_NOT_ALLOWED');
  expect((await create({ network: 'simulator' })).status).toBe(200);
});
