import { newId } from '@kurir/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, type Customer } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const iso = (date: Date) => date.toISOString();

async function made(fields: object = {}): Promise<string> {
  const body = { url: 'https://shop.example.com/kurir', ...fields };
  const { data } = (await call(t.url, customer, 'createWebhook', { body })).body;
  return (data['webhook'] as { webhook_id: string }).webhook_id;
}

const replay = (webhookId: string, body: object) => call(t.url, customer, 'replayWebhook', { webhookId, body });

/** An event of a message in the past. */
const happened = (kind: string, at: Date, deviceId = customer.deviceId) =>
  t.database.pool.query(
    `INSERT INTO events (account_id, generation, subject_id, sequence, kind, device_id, at)
     VALUES ($1, event_generation(), $2, 1, $3, $4, $5)`,
    [customer.accountId, newId('msg'), kind, deviceId, at],
  );

test('the count holds the events of the span that the webhook gets, and dry_run begins nothing', async () => {
  const other = await createConnectedDevice(t.database, customer.accountId);
  const all = await made();
  const some = await made({ types: ['message.accepted'], device_ids: [other] });
  for (const hours of [1, 2, 30]) await happened('message.delivered', hoursAgo(hours));
  await happened('message.accepted', hoursAgo(2));
  await happened('message.accepted', hoursAgo(2), other);
  const span = { since: iso(hoursAgo(24)), dry_run: true };
  const count = async (id: string, more: object = {}) => (await replay(id, { ...span, ...more })).body.data;
  expect(await count(all, { until: iso(hoursAgo(0.5)) })).toEqual({ events: 2, replay: null });
  expect(await count(all, { until: iso(hoursAgo(1.5)) })).toEqual({ events: 1, replay: null });
  expect(await count(all, { until: iso(hoursAgo(1.5)), types: ['message.accepted'] })).toMatchObject({ events: 2 });
  expect(await count(some, { until: iso(hoursAgo(0.5)) })).toEqual({ events: 1, replay: null });
  expect((await call(t.url, customer, 'getWebhook', { webhookId: all })).body.data['replays']).toEqual([]);
});

test('a replay begins before the first event of the span, is shown with its progress and is in the audit log', async () => {
  const webhookId = await made();
  await happened('message.delivered', hoursAgo(30));
  await happened('message.delivered', hoursAgo(2));
  const [since, until] = [iso(hoursAgo(24)), iso(hoursAgo(0.5))];
  const { data } = (await replay(webhookId, { since, until })).body;
  expect(data).toMatchObject({
    events: 1,
    replay: { since, until, types: [], events: 1, read_events: 0, ended_at: null },
  });
  const { rows } = await t.database.pool.query<{ ahead: number }>(
    `SELECT count(*)::int AS ahead FROM events e JOIN webhook_replays r ON r.webhook_id = $2
     WHERE e.account_id = $1 AND e.at >= r.since AND e.at < r.until
       AND (e.generation, e.xid, e.seq) > (r.generation, r.xid, r.seq)`,
    [customer.accountId, webhookId],
  );
  expect(rows).toEqual([{ ahead: 1 }]);
  await t.database.pool.query('UPDATE webhook_replays SET read_events = 1, ended_at = now() WHERE webhook_id = $1', [
    webhookId,
  ]);
  const shown = (await call(t.url, customer, 'getWebhook', { webhookId })).body.data['replays'];
  expect(shown).toMatchObject([{ read_events: 1, ended_at: expect.stringMatching(/Z$/) }]);
  const audit = await t.database.pool.query(
    `SELECT subject FROM audit_log WHERE account_id = $1 AND action = 'webhook.replayed'`,
    [customer.accountId],
  );
  expect(audit.rows).toEqual([{ subject: webhookId }]);
});

test.each([
  [{ since: 'yesterday' }, 'since'],
  [{ since: iso(hoursAgo(24 * 31)) }, 'since'],
  [{ since: iso(hoursAgo(-1)) }, 'since'],
  [{ since: iso(hoursAgo(1)), until: iso(hoursAgo(2)) }, 'since'],
  [{ since: iso(hoursAgo(1)), types: ['message.lost'] }, 'types[0]'],
  [{}, 'since'],
])('the span %j is refused', async (body, field) => {
  const answer = await replay(await made(), body);
  expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
  expect(answer.body.error).toContain(field);
});

test('a span without events begins nothing, and at most five replays run', async () => {
  const webhookId = await made();
  const past = { since: iso(hoursAgo(20)), until: iso(hoursAgo(10)) };
  expect((await replay(webhookId, past)).body.data).toEqual({ events: 0, replay: null });
  await happened('message.delivered', hoursAgo(15));
  const answers = await Promise.all(Array.from({ length: 7 }, () => replay(webhookId, past)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.find(({ status }) => status !== 200)?.body.error).toContain('Wait until one has ended');
});
