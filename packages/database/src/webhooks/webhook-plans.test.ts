/** With many attempts and failed events, looking at one webhook reads few rows. */
import { newId } from '@kurir/contracts';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { readAttempts, readFailedEvents } from './list-attempts.js';
import { findWebhook, readWebhook } from './list-webhooks.js';

const fixture = useDatabaseFixture();
const many = 50_000;
let tenant: Tenant;
const webhookId = newId('whk');

beforeAll(async () => {
  const t = fixture();
  tenant = await t.tenant({ quota: null });
  await t.query(`INSERT INTO webhooks (id, account_id, url) VALUES ($1, $2, 'https://hooks.example/x')`, [
    webhookId,
    tenant.accountId,
  ]);
  await t.query(`INSERT INTO webhook_readers (webhook_id, generation, xid, seq) VALUES ($1, 0, '0', 0)`, [webhookId]);
  await t.query(
    `INSERT INTO webhook_attempts (webhook_id, generation, xid, seq, event_at, event_id, type, tries, outcome, duration_ms)
     SELECT $1, 0, '1', n, now(), 'evt_' || n, 'message.sent', 1, 'failed', 1 FROM generate_series(1, $2::int) n`,
    [webhookId, many],
  );
  // One in a hundred is out of tries.
  await t.query(
    `INSERT INTO webhook_retries (webhook_id, generation, xid, seq, event_at, subject_id, sequence, failed_at)
     SELECT $1, 0, '1', n, now(), 'msg_' || n, 1, CASE WHEN n % 100 = 0 THEN now() END FROM generate_series(1, $2::int) n`,
    [webhookId, many],
  );
  await t.query('VACUUM ANALYZE webhook_attempts, webhook_retries');
});

type Node = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Node[] };

const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);

/** The rows that the nodes of the plan read for the only statement of this work. */
async function rowsReadBy(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  // The spy knows only the first signature of `query`.
  const calls = spy.mock.calls as unknown as [text: string, values: unknown[]][];
  spy.mockRestore();
  const [asked, ...others] = calls.filter(([text]) => typeof text === 'string' && text.includes('webhook'));
  if (asked === undefined || others.length > 0) throw new Error('the work has one statement');
  const [text, values] = asked;
  const [row] = await fixture().query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  if (row === undefined) throw new Error('an EXPLAIN without a row');
  return rowsOf(row['QUERY PLAN'][0].Plan);
}

const filter = { outcome: null, eventId: null, before: null, limit: 10 };

test('the attempts of one event, also of one without any, are found among those of all events', async () => {
  const { database } = fixture();
  const readOf = (eventId: string) => rowsReadBy(() => readAttempts(database, webhookId, { ...filter, eventId }));
  expect(await readOf('evt_7')).toBeLessThan(20);
  expect(await readOf('evt_none')).toBeLessThan(20);
});

test('a page of failed events passes over none that is tried again', async () => {
  const { database } = fixture();
  expect(await rowsReadBy(() => readFailedEvents(database, webhookId, { before: null, limit: 10 }))).toBeLessThan(
    many / 25,
  );
});

test('an operation that shows no health counts no events', async () => {
  const { database } = fixture();
  expect(await rowsReadBy(() => findWebhook(database, tenant.accountId, webhookId))).toBeLessThan(10);
  expect(await findWebhook(database, tenant.accountId, webhookId)).toMatchObject({ id: webhookId, enabled: true });
  expect(await findWebhook(database, tenant.accountId, 'whk_none')).toBeNull();
  expect(await readWebhook(database, tenant.accountId, webhookId)).toMatchObject({ failed: 500, waiting: 49_500 });
});
