import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccountKeys, createSealer, readForRetry } from '@kurir/database';
import { createConnectedDevice, createCustomer, type Customer } from '../../test/customer-fixture.js';
import { call, type CallOptions } from '../../test/signed-request.js';
import { signUp } from '../../test/person.js';
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
beforeEach(async () => {
  customer = await createCustomer(t.database, { quota: 10 });
});
afterAll(() => t.close());

const phone = '6281355555555';
const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}) =>
  call(t.url, customer, operation, options);

async function create(fields: object = {}): Promise<string> {
  const made = await ask('createBroadcast', {
    body: {
      name: 'Promo',
      message: '{{pick:Halo|Hai|Hei}} {{nama}}',
      device_ids: [customer.deviceId],
      audience: {
        rows: [{ phone: '0813' }, { phone: '6281300000001', values: { nama: 'Budi' } }, { phone: '6281300000002' }],
      },
      ...fields,
    },
  });
  return String(made.body.data['broadcast_id']);
}

const tryOut = (broadcastId: string, body: object = {}) =>
  ask('testBroadcast', { broadcastId, body: { phone, ...body } });

async function textOf(jobId: string): Promise<string> {
  const accountKeys = createAccountKeys(t.database, createSealer(masterKey));
  const found = await readForRetry(t.database, accountKeys, customer.accountId, jobId as `msg_${string}`);
  return JSON.stringify(found?.content);
}

const loseConnection = (deviceId: string) =>
  t.database.pool.query(`UPDATE devices SET state = 'connecting', last_connected_at = NULL WHERE id = $1`, [deviceId]);

const stored = async (broadcastId: string) =>
  (
    await t.database.pool.query(
      `SELECT b::text AS broadcast, (SELECT string_agg(r::text, '; ' ORDER BY position) FROM broadcast_recipients r WHERE r.broadcast_id = b.id) AS recipients
       FROM broadcasts b WHERE b.id = $1`,
      [broadcastId],
    )
  ).rows as unknown[];

test('it is one message of its own, and the broadcast stays as it was', async () => {
  const broadcastId = await create();
  const before = await stored(broadcastId);
  const { status, body } = await tryOut(broadcastId);
  expect(status, body.error).toBe(200);
  const jobId = String(body.data['job_id']);
  expect((await ask('getMessage', { jobId })).body.data).toMatchObject({
    status: 'queued',
    phone_destination: phone,
    device_id: customer.deviceId,
    priority: 'normal',
    category: 'marketing',
  });
  expect(await stored(broadcastId)).toEqual(before);
  expect((await ask('getBroadcast', { broadcastId })).body.data).toMatchObject({
    broadcast: { recipients: 3 },
    counts: { messages: {} },
  });
  expect((await ask('accountInfo')).body.data).toMatchObject({ remaining_quota: '9' });
});

test('its text has the values of the first recipient, or those of the request', async () => {
  const broadcastId = await create({ message: 'Halo {{nama}}', footer: 'Balas STOP' });
  const own = String((await tryOut(broadcastId)).body.data['job_id']);
  expect(await textOf(own)).toContain('Halo Budi\\n\\nBalas STOP');
  const given = String((await tryOut(broadcastId, { values: { NAMA: 'Siti' } })).body.data['job_id']);
  expect(await textOf(given)).toContain('Halo Siti\\n\\nBalas STOP');
});

test('a person of the list gets the words that the check showed', async () => {
  const broadcastId = await create();
  const { samples } = (await ask('checkBroadcast', { broadcastId })).body.data as { samples: { text: string }[] };
  const { body } = await tryOut(broadcastId, { phone: '6281300000001' });
  expect(await textOf(String(body.data['job_id']))).toContain(samples[0]?.text);
});

test('a value that is missing is named, and nothing is stored', async () => {
  const broadcastId = await create({ message: 'Halo {{nama}}, {{kota}}', audience: { rows: [] } });
  for (const values of [undefined, { kode: '7' }])
    expect((await tryOut(broadcastId, { values })).body).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringContaining('values: nama, kota has no value'),
    });
  const refused = await tryOut(broadcastId, { values: { nama: 'x'.repeat(500), kota: '' } });
  expect(refused.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining('kota') });
  expect((await ask('listMessages')).body.data['messages']).toEqual([]);
});

test('the first device that is connected sends it', async () => {
  const other = await createConnectedDevice(t.database, customer.accountId);
  const broadcastId = await create({ device_ids: [customer.deviceId, other] });
  await loseConnection(customer.deviceId);
  const jobId = String((await tryOut(broadcastId)).body.data['job_id']);
  expect((await ask('getMessage', { jobId })).body.data).toMatchObject({ device_id: other });
  await loseConnection(other);
  expect((await tryOut(broadcastId)).body.code).toBe('DEVICE_NOT_CONNECTED');
});

test('a person who opted out gets none, and neither does one in a foreign broadcast', async () => {
  const broadcastId = await create();
  await ask('addSuppressions', { body: { phone } });
  expect((await tryOut(broadcastId)).body.code).toBe('RECIPIENT_SUPPRESSED');
  const transactional = await create({ category: 'transactional' });
  expect((await tryOut(transactional)).status).toBe(200);
  customer = await createCustomer(t.database);
  expect((await tryOut(broadcastId, { phone: '6281300000009' })).body.code).toBe('BROADCAST_NOT_FOUND');
});

describe('the states', () => {
  test('it works from the draft to the pause, and not after the end', async () => {
    const broadcastId = await create({ send_at: new Date(Date.now() + 3_600_000).toISOString() });
    const state = async () =>
      ((await ask('getBroadcast', { broadcastId })).body.data['broadcast'] as { state: string }).state;
    const seen: string[] = [];
    const works = async () => {
      seen.push(await state());
      expect((await tryOut(broadcastId)).status).toBe(200);
    };
    await works();
    await ask('checkBroadcast', { broadcastId });
    await works();
    await ask('startBroadcast', { broadcastId, body: {} });
    await works();
    await ask('pauseBroadcast', { broadcastId });
    await works();
    await t.database.pool.query('UPDATE broadcasts SET send_at = NULL WHERE id = $1', [broadcastId]);
    await ask('resumeBroadcast', { broadcastId, body: {} });
    await works();
    expect(seen).toEqual(['draft', 'ready', 'scheduled', 'paused', 'running']);
    await ask('cancelBroadcast', { broadcastId });
    expect((await tryOut(broadcastId)).body.code).toBe('BROADCAST_STATE');
  });

  test('what a running broadcast has set aside is not spent', async () => {
    customer = await createCustomer(t.database, { quota: 1 });
    const broadcastId = await create();
    await ask('checkBroadcast', { broadcastId });
    expect((await ask('startBroadcast', { broadcastId, body: {} })).status).toBe(200);
    expect((await tryOut(broadcastId)).body.code).toBe('QUOTA_EXHAUSTED');
  });
});

test('a person who sends one from the dashboard is in the audit log', async () => {
  const { browser, accountId, userId } = await signUp(t.url);
  const deviceId = await createConnectedDevice(t.database, accountId);
  const made = await browser.call('createBroadcast', { body: { name: 'P', message: 'Halo', device_ids: [deviceId] } });
  const params = { broadcast_id: String(made.body.data['broadcast_id']) };
  const { body } = await browser.call('testBroadcast', { params, body: { phone } });
  const { rows } = await t.database.pool.query(
    `SELECT actor, subject FROM audit_log WHERE account_id = $1 AND action = 'message.sent'`,
    [accountId],
  );
  expect(rows).toEqual([{ actor: userId, subject: body.data['job_id'] }]);
});
