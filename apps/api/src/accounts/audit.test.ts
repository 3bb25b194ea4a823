/** Tests the audit log over HTTP: who sees it, by what it is filtered, and the addresses of callers. */
import { newId } from '@kurir/contracts';
import { createPlan } from '@kurir/database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { invoiceNumber } from '../payments/invoices/invoice-number.js';
import { Browser, password, signUp } from '../../test/person.js';
import { call, sendSigned } from '../../test/signed-request.js';
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

type Entry = {
  subject_name: string | null;
  action: string;
  subject: string;
  actor: { id: string; name: string | null };
  address: string | null;
};

const list = async (query = '') =>
  (await call(t.url, customer, 'listAudit', query === '' ? {} : { query })).body.data['entries'] as Entry[];

/** Writes a template from this address, as the proxy tells it. */
const writeFrom = (forwarded: string) =>
  call(t.url, customer, 'createTemplate', {
    body: { name: newId('tpl'), text: 'Halo' },
    headers: { 'X-Forwarded-For': forwarded },
  });

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[2001:DB8::7]:51234', '2001:db8::7'],
  ['<script>', null],
])('the action of a key from %s has the address %s', async (forwarded, address) => {
  await writeFrom(forwarded);
  expect(await list()).toMatchObject([{ action: 'template.created', actor: { id: customer.key.id }, address }]);
});

test('a person, a sign-in and a refused sign-in have addresses', async () => {
  const { browser, email } = await signUp(t.url);
  const other = new Browser(t.url);
  await other.auth('/sign-in/email', { email, password: 'wrong wrong wrong' });
  await other.auth('/sign-in/email', { email, password });
  await other.call('createTemplate', { body: { name: newId('tpl'), text: 'Halo' } });
  const read = async () => (await browser.call('listAudit')).body.data['entries'] as Entry[];
  const expected = ['template.created', 'session.began', 'session.refused'];
  await expect
    .poll(async () =>
      (await read()).flatMap(({ action, address }) => (address === other.ip ? [action] : [])).toSorted(),
    )
    .toEqual(expected.toSorted());
});

test('the log is filtered by group, actor, target and time', async () => {
  await writeFrom('203.0.113.7');
  const made = await call(t.url, customer, 'createWebhook', { body: { url: 'https://example.com/hook' } });
  const { webhook_id: webhookId } = made.body.data['webhook'] as { webhook_id: string };
  const actions = async (query: string) => (await list(query)).map(({ action }) => action);
  expect(await actions('group=webhooks')).toEqual(['webhook.created']);
  expect(await actions(`subject=${webhookId}`)).toEqual(['webhook.created']);
  expect(await actions(`actor=${customer.key.id}&limit=1`)).toEqual(['webhook.created']);
  expect(await actions('actor=usr_nobody')).toEqual([]);
  expect(await actions(`until=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
  expect(await actions(`since=${new Date(Date.now() - 60_000).toISOString()}`)).toHaveLength(2);
});

test('an entry names what it is about: a broadcast, a plan, a key, and a paid renewal by its invoice', async () => {
  const planId = await createPlan(t.database, { name: 'Usaha', durationDays: 30, priceRupiah: 1, quota: 1 });
  const [broadcastId, renewalId, gone] = [newId('brc'), newId('rnw'), newId('brc')];
  await t.database.pool.query(
    `INSERT INTO broadcasts (id, account_id, name, category, state, device_ids, created_by) VALUES ($1, $2, 'Promo Lebaran', 2, 'draft', '{}', 'usr')`,
    [broadcastId, customer.accountId],
  );
  await t.database.pool.query(
    `INSERT INTO renewals (id, account_id, plan_id, plan_name, plan_type, duration_days, price_rupiah, method, state, page_token, payment_url, expires_at, paid_at)
     VALUES ($1, $2, $3, 'Usaha', 'TIME_BASED', 30, 1, 'ordinary', 'paid', $1, 'x', now(), '2026-11-27T23:30:00Z')`,
    [renewalId, customer.accountId, planId],
  );
  for (const subject of [broadcastId, planId, customer.key.id, renewalId, gone])
    await t.database.pool.query(
      `INSERT INTO audit_log (id, account_id, actor, action, subject) VALUES ($1, $2, 'admin', 'plan.chosen', $3)`,
      [newId('aud'), customer.accountId, subject],
    );
  const names = Object.fromEntries((await list()).map(({ subject, subject_name: name }) => [subject, name]));
  expect(names).toEqual({
    [broadcastId]: 'Promo Lebaran',
    [planId]: 'Usaha',
    [customer.key.id]: 'test',
    [renewalId]: invoiceNumber({ id: renewalId, paidAt: new Date('2026-11-27T23:30:00Z') }),
    [gone]: null,
  });
});

test('an export has the filter, the time zone and no formula, and stands in the log itself', async () => {
  await t.database.pool.query(`UPDATE api_keys SET name = '=HYPERLINK(1)' WHERE id = $1`, [customer.key.id]);
  await writeFrom('203.0.113.7');
  await call(t.url, customer, 'createWebhook', { body: { url: 'https://example.com/hook' } });
  const answer = await call(t.url, customer, 'exportAudit', { query: 'group=templates&time_zone=Asia/Jakarta' });
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  const [head, ...rows] = String(answer.body.data['text']).trim().split('\r\n');
  expect(head).toBe('at,actor,actor_name,action,subject,number_ends,address,entry_id,subject_name');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+\+07:00,kk_live_\w+,'=HYPERLINK\(1\),template\.created,tpl_\w+,,203\.0\.113\.7,aud_\w+,tpl_\w+$/,
  );
  expect((await list())[0]).toMatchObject({ action: 'audit.exported', subject: null });
});

test('an export goes on beyond one page, and each entry stands in it once', async () => {
  await t.database.pool.query(
    `INSERT INTO audit_log (id, account_id, actor, action, subject)
     SELECT 'aud_0' || $1 || lpad(n::text, 6, '0'), $1, 'usr_1', 'message.sent', 'msg_' || n FROM generate_series(1, 2500) n`,
    [customer.accountId],
  );
  const answer = await call(t.url, customer, 'exportAudit', { query: 'group=messages' });
  const rows = String(answer.body.data['text']).trim().split('\r\n').slice(1);
  expect(rows).toHaveLength(2500);
  expect(new Set(rows.map((row) => row.split(',')[4])).size).toBe(2500);
});

test('a key needs the scope, and a test key sees nothing of the whole account', async () => {
  for (const key of [
    await createKey(t.database, customer.accountId, { scopes: ['account:read'] }),
    { ...customer.key, ...(await createKey(t.database, customer.accountId, { mode: 'test' })) },
  ]) {
    const refused = await sendSigned(t.url, { method: 'GET', target: '/api/v1/audit', key });
    expect([refused.status, refused.body.code]).toEqual([403, 'KEY_NOT_ALLOWED']);
  }
  const key = await createKey(t.database, customer.accountId, { scopes: ['audit:read'] });
  expect((await sendSigned(t.url, { method: 'GET', target: '/api/v1/audit', key })).status).toBe(200);
});
