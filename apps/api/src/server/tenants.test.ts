/**
 * Tests that an account can neither see nor change anything of another account. The compiler reports an operation
 * without a case.
 */
import { type DeviceId, type PublicOperationName, publicOperationNames } from '@kurir/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { writeTo } from '../../test/inbound-fixture.js';
import { aMessage, type CallOptions, call, type Sent } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

/** All ids and names that a request could contain. */
type Names = {
  readonly deviceId: DeviceId;
  readonly jobId: string;
  readonly renewalId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly conversationId: string;
  readonly clientRef: string;
  readonly recipient: string;
};

const nobody: Names = {
  deviceId: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
  jobId: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe',
  renewalId: 'rnw_01kajp4m3s5y8zt0v6qk2c9hbe',
  webhookId: 'whk_01kajp4m3s5y8zt0v6qk2c9hbe',
  eventId: 'evt_msg_01kajp4m3s5y8zt0v6qk2c9hbe_1_1',
  conversationId: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe',
  clientRef: 'nobody-ref',
  recipient: '6289999999999',
};

const typing = { action: 'start', phone_destination: '6281234567890' };

/** Each request contains all names that it can contain. */
const cases: { readonly [O in PublicOperationName]: (names: Names) => CallOptions } = {
  sendMessage: ({ deviceId }) => ({ deviceId, body: aMessage }),
  sendBulk: ({ deviceId }) => ({ deviceId, body: { messages: [aMessage] } }),
  chatPresence: ({ deviceId }) => ({ deviceId, body: typing }),
  listMessages: ({ deviceId, jobId, clientRef, recipient }) => ({
    query: new URLSearchParams({
      job_ids: jobId,
      device_id: deviceId,
      client_ref: clientRef,
      phone_destination: recipient,
    }).toString(),
  }),
  getMessage: ({ jobId }) => ({ jobId }),
  cancelMessage: ({ jobId }) => ({ jobId }),
  cancelMessages: ({ deviceId, recipient }) => ({
    body: { filter: { device_id: deviceId, phone_destination: recipient } },
  }),
  renewAccount: () => ({}),
  getRenewal: ({ renewalId }) => ({ renewalId }),
  createDevice: () => ({ body: { name: 'Toko' } }),
  updateDevice: ({ deviceId }) => ({ deviceId, body: { name: 'Toko' } }),
  listDevices: () => ({}),
  linkDevice: ({ deviceId }) => ({ deviceId, body: {} }),
  cancelLink: ({ deviceId }) => ({ deviceId }),
  reconnectDevice: ({ deviceId }) => ({ deviceId }),
  disconnectDevice: ({ deviceId }) => ({ deviceId }),
  deleteDevice: ({ deviceId }) => ({ deviceId }),
  deviceInfo: ({ deviceId }) => ({ deviceId }),
  accountInfo: () => ({}),
  listConversations: ({ deviceId }) => ({ query: `device_id=${deviceId}` }),
  getConversation: ({ conversationId }) => ({ conversationId }),
  listConversationMessages: ({ conversationId }) => ({ conversationId }),
  markConversationRead: ({ conversationId }) => ({ conversationId }),
  listEvents: ({ deviceId }) => ({ query: `after=earliest&device_id=${deviceId}` }),
  latestPlan: () => ({}),
  createWebhook: ({ deviceId }) => ({ body: { url: 'https://example.com/hook', device_ids: [deviceId] } }),
  listWebhooks: () => ({}),
  getWebhook: ({ webhookId }) => ({ webhookId }),
  updateWebhook: ({ webhookId, deviceId }) => ({ webhookId, body: { device_ids: [deviceId] } }),
  deleteWebhook: ({ webhookId }) => ({ webhookId }),
  rotateWebhookSecret: ({ webhookId }) => ({ webhookId }),
  pingWebhook: ({ webhookId }) => ({ webhookId }),
  replayWebhook: ({ webhookId }) => ({ webhookId, body: { since: new Date(Date.now() - 60_000).toISOString() } }),
  listWebhookAttempts: ({ webhookId, eventId }) => ({ webhookId, query: `event_id=${eventId}` }),
  listFailedEvents: ({ webhookId }) => ({ webhookId }),
  resendEvent: ({ webhookId, eventId }) => ({ eventId, body: { webhook_id: webhookId } }),
};

async function createVictim(): Promise<{ victim: Customer; names: Names; secrets: string[] }> {
  const victim = await createCustomer(t.database, { quota: 10 });
  const [clientRef, recipient] = [`ref-${victim.accountId}`, '6281111111111'];
  const body = { ...aMessage, phone_destination: recipient, client_ref: clientRef };
  const sent = await call(t.url, victim, 'sendMessage', { body });
  const renewal = await call(t.url, victim, 'renewAccount');
  const jobId = String(sent.body.data['job_id']);
  const renewalId = String(renewal.body.data['renewal_id']);
  const webhook = await call(t.url, victim, 'createWebhook', { body: { url: 'https://example.com/hook' } });
  const { webhook_id: webhookId } = webhook.body.data['webhook'] as { webhook_id: string };
  await call(t.url, victim, 'pingWebhook', { webhookId });
  const { events } = (await call(t.url, victim, 'listEvents', { query: 'after=earliest&wait=10' })).body.data;
  const [{ id: eventId } = { id: 'none' }] = events as { id: string }[];
  const conversationId = await writeTo(t.database, victim.deviceId, 'secret of a person');
  const names = {
    deviceId: victim.deviceId,
    jobId,
    renewalId,
    webhookId,
    eventId,
    clientRef,
    recipient,
    conversationId,
  };
  return {
    victim,
    names,
    secrets: [
      victim.accountId,
      victim.deviceId,
      jobId,
      clientRef,
      recipient,
      webhookId,
      eventId,
      conversationId,
      'secret of a person',
      String(renewal.body.data['payment_url']),
    ],
  };
}

/** Returns all rows of an account. */
async function stored({ accountId }: Customer): Promise<unknown> {
  const read = async (text: string) => (await t.database.pool.query(text, [accountId])).rows as unknown[];
  return Promise.all([
    read('SELECT * FROM devices WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM messages WHERE account_id = $1 ORDER BY seq'),
    read('SELECT * FROM conversations WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM subscription_periods WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM renewals WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM plan_choices WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM audit_log WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM webhooks WHERE account_id = $1 ORDER BY id'),
    read(
      'SELECT s.*, r.probes FROM webhook_secrets s JOIN webhook_readers r USING (webhook_id) JOIN webhooks w ON w.id = r.webhook_id WHERE w.account_id = $1 ORDER BY 1, 2',
    ),
    read(
      'SELECT t.* FROM webhook_retries t JOIN webhooks w ON w.id = t.webhook_id WHERE w.account_id = $1 ORDER BY seq',
    ),
    read(
      'SELECT t.* FROM webhook_replays t JOIN webhooks w ON w.id = t.webhook_id WHERE w.account_id = $1 ORDER BY t.id',
    ),
    read('SELECT * FROM request_keys WHERE scope = $1 ORDER BY value'),
  ]);
}

/** Leaves out the parts that are new in every answer. */
function essence(answer: Sent): unknown {
  const { status, body } = answer;
  const text = JSON.stringify({ status, body })
    .replace(/\/pay\/[\w-]+/g, '/pay/…')
    // A place in the log of all events, which goes on meanwhile.
    .replace(/"next_cursor":"[0-9a-z]+(-[0-9a-z]+){3}"/, '"next_cursor":"…"')
    .replace(/\bdev_[0-9a-z]{26}\b/g, 'dev_…')
    .replace(/"created_at":"[^"]*"/g, '"created_at":"…"');
  return JSON.parse(text);
}

describe.each(publicOperationNames)('%s', (operation) => {
  test('gives the same answer for ids of another account and for unknown ids, and leaves that account as it was', async () => {
    const { victim, names, secrets } = await createVictim();
    const stranger = await createCustomer(t.database);
    const before = await stored(victim);
    const answer = await call(t.url, stranger, operation, cases[operation](names));
    expect(essence(answer)).toEqual(essence(await call(t.url, stranger, operation, cases[operation](nobody))));
    for (const secret of secrets) expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(await stored(victim)).toEqual(before);
  });

  test('is refused with the secret of another account', async () => {
    const { victim, names } = await createVictim();
    const stranger = await createCustomer(t.database);
    const before = await stored(victim);
    const forged = { ...victim, key: { id: victim.key.id, secret: stranger.key.secret } };
    expect((await call(t.url, forged, operation, cases[operation](names))).body.code).toBe('INVALID_SIGNATURE');
    expect(await stored(victim)).toEqual(before);
  });
});

test('two accounts may use the same client_ref, and even the same signature bytes', async () => {
  const [one, two] = [await createCustomer(t.database), await createCustomer(t.database)];
  const body = { ...aMessage, client_ref: 'same' };
  const jobs = [await call(t.url, one, 'sendMessage', { body }), await call(t.url, two, 'sendMessage', { body })];
  const ids = jobs.map((answer) => answer.body.data['job_id']);
  expect(new Set(ids).size).toBe(2);
  const listed = await call(t.url, two, 'listMessages', {});
  expect(listed.body.data['messages']).toMatchObject([{ job_id: ids[1] }]);
});
