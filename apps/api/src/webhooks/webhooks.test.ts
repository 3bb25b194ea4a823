import { limits } from '@kurir/contracts';
import { createSealer } from '@kurir/database';
import { readWebhookSecrets } from '@kurir/database/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, type CallOptions, call } from '../../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

const url = 'https://shop.example.com/kurir';
type Shown = { webhook_id: string; version: number } & Record<string, unknown>;

const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}) =>
  call(t.url, customer, operation, options);
const create = (body: object = {}) => ask('createWebhook', { body: { url, ...body } });

async function made(body: object = {}): Promise<{ webhookId: string; secret: string }> {
  const { data } = (await create(body)).body;
  return { webhookId: (data['webhook'] as Shown).webhook_id, secret: String(data['secret']) };
}

const rowOf = async (webhookId: string) => {
  const { rows } = await t.database.pool.query<Record<string, unknown>>(
    'SELECT * FROM webhooks w JOIN webhook_readers r ON r.webhook_id = w.id WHERE w.id = $1',
    [webhookId],
  );
  return rows[0];
};
const secretsOf = async (webhookId: string) =>
  (await readWebhookSecrets(t.database, createSealer(masterKey), [webhookId]))
    .get(webhookId)
    ?.map(({ secret }) => secret);

/** Events of a message, and their ids, oldest first. */
/** Sends a message, and waits for its event: older transactions of other tests may hold the log back. */
async function someEvents(): Promise<string[]> {
  await ask('sendMessage', { body: aMessage });
  let ids: string[] = [];
  const read = async () => {
    const { events } = (await ask('listEvents', { query: 'after=earliest&types=message.accepted' })).body.data;
    ids = (events as { id: string }[]).map(({ id }) => id);
    return ids.length;
  };
  await expect.poll(read, { timeout: 20_000 }).toBeGreaterThan(0);
  return ids;
}

/** Writes an attempt as the worker does. */
async function writeAttempt(webhookId: string, eventId: string, outcome: string, status: number | null): Promise<void> {
  await t.database.pool.query(
    `INSERT INTO webhook_attempts (webhook_id, generation, xid, seq, event_at, event_id, type, tries, outcome, status, duration_ms)
     SELECT $1, generation, xid, seq, at, $2, kind, 1, $3, $4, 12 FROM events
     WHERE account_id = $5 AND kind = 'message.accepted' ORDER BY seq DESC LIMIT 1`,
    [webhookId, eventId, outcome, status, customer.accountId],
  );
}

describe('a webhook that cannot be', () => {
  test.each([
    ['', 'INVALID_REQUEST'],
    [`https://example.com/${'a'.repeat(2048)}`, 'INVALID_REQUEST'],
    ['example.com', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['ftp://example.com', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['https://user:password@example.com', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['https://example.com/#part', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['https://example.com:22', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['http://localhost:3000', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['http://[::ffff:10.0.0.1]/', 'WEBHOOK_URL_NOT_ALLOWED'],
    ['http://169.254.169.254/latest', 'WEBHOOK_URL_NOT_ALLOWED'],
  ])('has the address %.60j', async (address, code) => {
    const answer = await create({ url: address });
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(answer.body.error).toMatch(/^url: /);
    expect(answer.body.error).not.toContain('password@');
  });

  test.each([
    [{ types: ['message.lost'] }, 'types[0]'],
    [{ types: ['message.sent', 'message.sent'] }, 'types'],
    [{ types: [7] }, 'types[0]'],
    [{ device_ids: ['dev_none'] }, 'device_ids[0]'],
    [{ device_ids: ['dev_none', 'dev_none'] }, 'device_ids'],
    [{ mode: 'fifo' }, 'mode'],
    [{ max_per_second: 0 }, 'max_per_second'],
    [{ max_per_second: 1.5 }, 'max_per_second'],
    [{ description: 'a\u0000b' }, 'description'],
    [{ secret: 'mine' }, 'secret'],
  ])('has the fields %j', async (body, field) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(answer.body.error).toContain(field);
  });

  test('has a device of another account', async () => {
    const other = await createCustomer(t.database);
    expect((await create({ device_ids: [customer.deviceId, other.deviceId] })).body.error).toMatch(
      /^device_ids\[1\]: /,
    );
  });

  test('is one too many, also when requests cross', async () => {
    for (let i = 2; i < limits.webhooksMax; i++) await create();
    const crossing = await Promise.all([create(), create(), create(), create()]);
    const refused = crossing.filter(({ body }) => body.code === 'WEBHOOK_LIMIT_REACHED');
    expect([refused.length, crossing.filter(({ status }) => status === 200).length]).toEqual([2, 2]);
    expect((await ask('listWebhooks')).body.data['webhooks']).toHaveLength(limits.webhooksMax);
  });
});

describe('a secret', () => {
  test('is in the answer of creating, in no other, and a repeated signature does not show it again', async () => {
    const timestamp = String(Date.now());
    const first = await ask('createWebhook', { body: { url }, timestamp });
    const secret = String(first.body.data['secret']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await ask('createWebhook', { body: { url }, timestamp });
    expect([again.status, again.body.code]).toEqual([409, 'REPLAYED_REQUEST']);
    const { webhooks } = (await ask('listWebhooks')).body.data;
    expect(webhooks).toHaveLength(1);
    expect(JSON.stringify(webhooks)).not.toContain(secret);
    expect(await secretsOf((webhooks as Shown[])[0]?.webhook_id ?? '')).toEqual([secret]);
  });

  test('signs together with the one before for a day, and a third rotation ends the oldest', async () => {
    const { webhookId, secret } = await made();
    const second = String((await ask('rotateWebhookSecret', { webhookId })).body.data['secret']);
    expect(await secretsOf(webhookId)).toEqual([second, secret]);
    const answer = await ask('rotateWebhookSecret', { webhookId });
    expect(await secretsOf(webhookId)).toEqual([String(answer.body.data['secret']), second]);
    const { secrets } = answer.body.data['webhook'] as { secrets: { version: number; expires_at: string | null }[] };
    expect(secrets.map(({ version }) => version)).toEqual([3, 2]);
    expect(secrets[0]?.expires_at).toBeNull();
    const lastsHours = (Date.parse(secrets[1]?.expires_at ?? '') - Date.now()) / 3_600_000;
    expect(Math.round(lastsHours)).toBe(limits.webhookRotationHours);
    expect(await rowOf(webhookId)).toMatchObject({ version: 3 });
  });
});

test('a change keeps what it leaves out, and enabling forgets that the address failed', async () => {
  const { webhookId } = await made({ types: ['message.sent'], description: 'Shop', max_per_second: 5 });
  await t.database.pool.query(`UPDATE webhooks SET enabled = false, disabled_reason = 'failing' WHERE id = $1`, [
    webhookId,
  ]);
  await t.database.pool.query(
    'UPDATE webhook_readers SET failing_since = now(), probes = 4, probe_at = now(), told_hours = 72 WHERE webhook_id = $1',
    [webhookId],
  );
  const shown = (await ask('getWebhook', { webhookId })).body.data['webhook'];
  expect(shown).toMatchObject({ enabled: false, disabled_reason: 'failing', health: { state: 'disabled' } });
  const answer = await ask('updateWebhook', { webhookId, body: { enabled: true, max_per_second: null } });
  expect(answer.body.data['webhook']).toMatchObject({
    url,
    types: ['message.sent'],
    description: 'Shop',
    max_per_second: null,
    enabled: true,
    disabled_reason: null,
    health: { state: 'new', failing_since: null, next_probe_at: null },
  });
  expect(await rowOf(webhookId)).toMatchObject({ version: 2, probes: 0, told_hours: 0 });
});

test('a deleted webhook is gone with everything of it, and the log of the account names each change', async () => {
  const { webhookId } = await made();
  const [eventId = ''] = await someEvents();
  await writeAttempt(webhookId, eventId, 'retrying', 500);
  await ask('resendEvent', { eventId, body: { webhook_id: webhookId } });
  await ask('rotateWebhookSecret', { webhookId });
  expect((await ask('deleteWebhook', { webhookId })).body.data).toEqual({ webhook_id: webhookId });
  expect((await ask('deleteWebhook', { webhookId })).body.code).toBe('WEBHOOK_NOT_FOUND');
  for (const table of ['webhook_secrets', 'webhook_readers', 'webhook_retries', 'webhook_attempts']) {
    const { rows } = await t.database.pool.query(`SELECT 1 FROM ${table} WHERE webhook_id = $1`, [webhookId]);
    expect(rows, table).toEqual([]);
  }
  const { rows } = await t.database.pool.query<{ action: string; subject: string }>(
    `SELECT action, subject FROM audit_log WHERE account_id = $1 AND action LIKE 'webhook.%' ORDER BY id`,
    [customer.accountId],
  );
  expect(rows).toEqual(
    ['webhook.created', 'webhook.secret_rotated', 'webhook.deleted'].map((action) => ({ action, subject: webhookId })),
  );
});

test('a ping is an event of the webhook, and a disabled webhook refuses it', async () => {
  const { webhookId } = await made();
  const { event_id: eventId } = (await ask('pingWebhook', { webhookId })).body.data;
  expect(eventId).toMatch(new RegExp(`^evt_${webhookId}_1_`));
  const pings = async () =>
    (await ask('listEvents', { query: 'after=earliest&types=webhook.ping' })).body.data['events'];
  // The feed shows an event when no earlier transaction of any test is open.
  await expect.poll(pings, { timeout: 10_000 }).toMatchObject([{ id: eventId, data: { webhook_id: webhookId } }]);
  await ask('updateWebhook', { webhookId, body: { enabled: false } });
  expect((await ask('pingWebhook', { webhookId })).body.code).toBe('WEBHOOK_DISABLED');
});

test('a key needs the scope', async () => {
  const { rows } = await t.database.pool.query<{ scopes: string[] }>('SELECT scopes FROM api_keys WHERE id = $1', [
    customer.key.id,
  ]);
  expect(rows[0]?.scopes).toEqual([]);
  await t.database.pool.query(`UPDATE api_keys SET scopes = '{webhooks:read}' WHERE id = $1`, [customer.key.id]);
  expect((await ask('listWebhooks')).status).toBe(200);
  expect((await create()).body.code).toBe('KEY_NOT_ALLOWED');
});

test('attempts come newest first, in pages, by outcome and by event, each with the event of the feed', async () => {
  const { webhookId } = await made();
  const [eventId = ''] = await someEvents();
  const { events } = (await ask('listEvents', { query: 'after=earliest&types=message.accepted' })).body.data;
  await writeAttempt(webhookId, eventId, 'retrying', 500);
  await writeAttempt(webhookId, eventId, 'delivered', 200);
  await writeAttempt(webhookId, 'evt_other', 'failed', null);
  const page = async (query: string) => {
    const { data } = (await ask('listWebhookAttempts', { webhookId, query })).body;
    return { attempts: data['attempts'] as Record<string, unknown>[], next: data['next_cursor'] };
  };
  const first = await page('limit=2');
  expect(first.attempts.map((attempt) => attempt['outcome'])).toEqual(['failed', 'delivered']);
  const second = await page(`limit=2&cursor=${String(first.next)}`);
  expect(second).toMatchObject({ attempts: [{ status: 500, event: (events as object[])[0] }], next: null });
  expect((await page('outcome=delivered')).attempts).toHaveLength(1);
  expect((await page(`event_id=${eventId}`)).attempts).toHaveLength(2);
  await t.database.pool.query('DELETE FROM events WHERE account_id = $1', [customer.accountId]);
  expect((await page('limit=1')).attempts).toMatchObject([{ event: null, event_id: 'evt_other' }]);
  expect((await ask('listWebhookAttempts', { webhookId, query: 'cursor=x' })).body.code).toBe('INVALID_REQUEST');
});

test('an event that used all tries is listed, and resending gives it all tries again, twice as well as once', async () => {
  const { webhookId } = await made();
  const [eventId = ''] = await someEvents();
  const resend = () => ask('resendEvent', { eventId, body: { webhook_id: webhookId } });
  await resend();
  await t.database.pool.query('UPDATE webhook_retries SET tries = 10, failed_at = now() WHERE webhook_id = $1', [
    webhookId,
  ]);
  const failed = (await ask('listFailedEvents', { webhookId })).body.data;
  expect(failed).toMatchObject({
    events: [{ event_id: eventId, type: 'message.accepted', tries: 10 }],
    next_cursor: null,
  });
  expect((await ask('getWebhook', { webhookId })).body.data['webhook']).toMatchObject({
    health: { failed_events: 1, waiting_events: 0 },
  });
  expect((await Promise.all([resend(), resend()])).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask('getWebhook', { webhookId })).body.data['webhook']).toMatchObject({
    health: { failed_events: 0, waiting_events: 1 },
  });
  for (const unknown of [
    'evt_none',
    `${eventId}x`,
    eventId.replace(/_1_/, '_9_'),
    'evt_msg_x_99999999999_1',
    'evt_msg_x_1_zzzzzzzzzzzzz',
  ])
    expect((await ask('resendEvent', { eventId: unknown, body: { webhook_id: webhookId } })).body.code).toBe(
      'EVENT_NOT_FOUND',
    );
});
