import { createAccountKeys, createSealer } from '@kurir/database';
import { driveBroadcast } from '@kurir/database/broadcasts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBroadcast } from '../../test/broadcast-error-cases.js';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call, type CallOptions } from '../../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

async function data(customer: Customer, operation: Parameters<typeof call>[2], options: CallOptions = {}) {
  const answer = await call(t.url, customer, operation, options);
  expect(answer.status, answer.body.error).toBe(200);
  return answer.body.data;
}

/** As a worker does. */
async function drive(id: string): Promise<void> {
  const accountKeys = createAccountKeys(t.database, createSealer(masterKey));
  while (await driveBroadcast(t.database, accountKeys, id as `brc_${string}`));
}

test('from a list with rubbish to a result for each row', async () => {
  const customer = await createCustomer(t.database, { quota: 10 });
  const made = await data(customer, 'createBroadcast', {
    body: {
      name: 'Promo',
      message: '{{pick:Halo|Hai}} {{nama|Kak}}',
      footer: 'Balas STOP untuk berhenti',
      device_ids: [customer.deviceId],
      window: null,
      audience: { rows: [{ phone: '6281300000001', values: { Nama: 'Budi' } }, { phone: '0813' }] },
    },
  });
  const broadcastId = String(made['broadcast_id']);
  expect(made).toMatchObject({ state: 'draft', recipients: 2, category: 'marketing' });
  await data(customer, 'addBroadcastRecipients', {
    broadcastId,
    body: { after: 2, rows: [{ phone: '6281300000001' }, { phone: '6281300000002' }] },
  });
  const checked = await data(customer, 'checkBroadcast', { broadcastId });
  expect(checked).toMatchObject({
    broadcast: { state: 'ready' },
    sendable: 2,
    new_contacts: 2,
    remaining_quota: '10',
    samples: [{ phone: '6281300000001', text: expect.stringMatching(/^(Halo|Hai) Budi\n\nBalas STOP/) }, {}],
  });
  expect(await data(customer, 'startBroadcast', { broadcastId, body: { confirm_any_hour: true } })).toMatchObject({
    state: 'running',
  });
  expect(await data(customer, 'accountInfo')).toMatchObject({ remaining_quota: '8' });
  await drive(broadcastId);
  expect(await data(customer, 'getBroadcast', { broadcastId })).toMatchObject({
    counts: {
      pending: 0,
      skipped: [
        { reason: 'duplicate', count: 1 },
        { reason: 'invalid_number', count: 1 },
      ],
      messages: { queued: 2 },
      failed: [],
    },
    text: { message: '{{pick:Halo|Hai}} {{nama|Kak}}', footer: 'Balas STOP untuk berhenti' },
  });
  await t.database.pool.query('UPDATE broadcasts SET key_number = NULL, sealed = NULL WHERE id = $1', [broadcastId]);
  expect(await data(customer, 'getBroadcast', { broadcastId })).toMatchObject({ text: null });
  const { recipients } = (await data(customer, 'listBroadcastRecipients', { broadcastId })) as {
    recipients: { phone: string; outcome: string; reason: string | null; job_id: string | null }[];
  };
  expect(recipients.map(({ phone, outcome, reason }) => [phone, outcome, reason])).toEqual([
    ['6281300000001', 'queued', null],
    ['0813', 'skipped', 'invalid_number'],
    ['6281300000001', 'skipped', 'duplicate'],
    ['6281300000002', 'queued', null],
  ]);
  const job = await data(customer, 'getMessage', { jobId: String(recipients[0]?.job_id) });
  expect(job).toMatchObject({
    status: 'queued',
    category: 'marketing',
    priority: 'bulk',
    phone_destination: '6281300000001',
  });
});

test('a repeat of added rows adds none twice, and a gap is refused', async () => {
  const customer = await createCustomer(t.database);
  const broadcastId = await createBroadcast(t, customer, 2);
  const add = (after: number) =>
    call(t.url, customer, 'addBroadcastRecipients', {
      broadcastId,
      body: { after, rows: [{ phone: '6281399999999' }] },
    });
  expect((await add(2)).body.data).toMatchObject({ recipients: 3 });
  expect((await add(2)).body.data).toMatchObject({ recipients: 3 });
  expect((await add(9)).body).toMatchObject({
    code: 'INVALID_REQUEST',
    error: expect.stringContaining('after: the list has 3 rows'),
  });
});

test('a paused broadcast shows why its messages wait, and goes on', async () => {
  const customer = await createCustomer(t.database);
  const broadcastId = await createBroadcast(t, customer, 3);
  await data(customer, 'checkBroadcast', { broadcastId });
  await data(customer, 'startBroadcast', { broadcastId, body: { confirm_any_hour: true } });
  await drive(broadcastId);
  expect(await data(customer, 'pauseBroadcast', { broadcastId })).toMatchObject({ state: 'paused', paused_by: 'user' });
  const { messages } = (await data(customer, 'listMessages')) as { messages: { waiting: unknown }[] };
  expect(messages.map(({ waiting }) => waiting)).toEqual(
    Array.from({ length: 3 }, () => ({ reason: 'paused', until: null })),
  );
  expect(await data(customer, 'resumeBroadcast', { broadcastId, body: {} })).toMatchObject({ state: 'running' });
  await data(customer, 'cancelBroadcast', { broadcastId });
  await drive(broadcastId);
  expect(await data(customer, 'getBroadcast', { broadcastId })).toMatchObject({
    broadcast: { state: 'cancelled', ended_at: expect.any(String) },
    counts: { messages: { cancelled: 3 } },
  });
});

test('sending again after the text is erased is refused with its own sentence', async () => {
  const customer = await createCustomer(t.database);
  const broadcastId = await createBroadcast(t, customer, 1);
  await data(customer, 'checkBroadcast', { broadcastId });
  await data(customer, 'startBroadcast', { broadcastId, body: { confirm_any_hour: true } });
  await drive(broadcastId);
  await t.database.pool.query(`UPDATE messages SET status = 'failed', attempts = 1 WHERE broadcast_id = $1`, [
    broadcastId,
  ]);
  await drive(broadcastId);
  await t.database.pool.query('UPDATE broadcasts SET key_number = NULL, sealed = NULL WHERE id = $1', [broadcastId]);
  const refused = await call(t.url, customer, 'resumeBroadcast', { broadcastId, body: { scope: 'failed' } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'BROADCAST_STATE' } });
  expect(refused.body.error).toContain('The text of the broadcast is erased');
  expect(await data(customer, 'getBroadcast', { broadcastId })).toMatchObject({
    broadcast: { state: 'finished' },
    counts: { messages: { failed: 1 } },
  });
});

test('its messages can be listed, exported and cancelled, whatever texts a program wrote for them', async () => {
  const customer = await createCustomer(t.database);
  const { job_id: single } = await data(customer, 'sendMessage', { body: aMessage });
  const texts = ['Tagihan Juni\nRp50.000', 'Tagihan Juli\nRp75.000'];
  const rows = texts.map((text, i) => ({ phone: `628130000001${i}`, values: { text } }));
  const made = await data(customer, 'createBroadcast', {
    body: {
      name: 'Tagihan',
      message: '{{text}}',
      category: 'transactional',
      device_ids: [customer.deviceId],
      audience: { rows },
    },
  });
  const broadcastId = String(made['broadcast_id']);
  await data(customer, 'checkBroadcast', { broadcastId });
  await data(customer, 'startBroadcast', { broadcastId, body: {} });
  await drive(broadcastId);
  const { messages } = (await data(customer, 'listMessages', { query: `broadcast_id=${broadcastId}` })) as {
    messages: { job_id: string; broadcast_id: string | null }[];
  };
  expect(messages.map(({ broadcast_id: id }) => id)).toEqual([broadcastId, broadcastId]);
  const texted = await data(customer, 'getMessage', { jobId: messages[1]?.job_id ?? '' });
  expect(texted).toMatchObject({ broadcast_id: broadcastId, phone_destination: '6281300000010' });
  expect(await data(customer, 'cancelMessages', { body: { filter: { broadcast_id: broadcastId } } })).toEqual({
    cancelled: 2,
    has_more: false,
  });
  expect(await data(customer, 'getMessage', { jobId: String(single) })).toMatchObject({
    status: 'queued',
    broadcast_id: null,
  });
  await drive(broadcastId);
  expect(await data(customer, 'getBroadcast', { broadcastId })).toMatchObject({
    broadcast: { state: 'finished' },
    counts: { messages: { cancelled: 2 } },
  });
});

test('a template is copied, so that a later version changes nothing', async () => {
  const customer = await createCustomer(t.database);
  const template = await data(customer, 'createTemplate', { body: { name: 'Promo', text: 'Satu' } });
  const templateId = String(template['template_id']);
  const made = await data(customer, 'createBroadcast', {
    body: {
      name: 'Promo',
      template_id: templateId,
      device_ids: [customer.deviceId],
      audience: { rows: [{ phone: '6281300000001' }] },
    },
  });
  await data(customer, 'createTemplateVersion', { templateId, body: { text: 'Dua' } });
  const broadcastId = String(made['broadcast_id']);
  expect(await data(customer, 'checkBroadcast', { broadcastId })).toMatchObject({ samples: [{ text: 'Satu' }] });
});

test('the states of a broadcast are events', async () => {
  const customer = await createCustomer(t.database);
  const broadcastId = await createBroadcast(t, customer, 1);
  await data(customer, 'checkBroadcast', { broadcastId });
  await data(customer, 'startBroadcast', { broadcastId, body: { confirm_any_hour: true } });
  await data(customer, 'pauseBroadcast', { broadcastId });
  const seen: { data: { state: string; reason: string | null } }[] = [];
  for (let after = 'earliest'; seen.length < 3; ) {
    const query = `after=${after}&types=broadcast.state_changed&wait=5`;
    const page = (await data(customer, 'listEvents', { query })) as { events: typeof seen; next_cursor: string };
    seen.push(...page.events);
    after = page.next_cursor;
  }
  expect(seen.map((event) => [event.data.state, event.data.reason])).toEqual([
    ['ready', null],
    ['running', null],
    ['paused', 'user'],
  ]);
});

describe('the rules of a broadcast', () => {
  const body = (customer: Customer, more: object) => ({
    name: 'Promo',
    message: 'Halo',
    device_ids: [customer.deviceId],
    audience: { rows: [{ phone: '6281300000001' }] },
    ...more,
  });

  test('are usual ones for marketing, and none for the rest', async () => {
    const customer = await createCustomer(t.database);
    expect(await data(customer, 'createBroadcast', { body: body(customer, {}) })).toMatchObject({
      window: { from: '08:00', to: '21:00', zone: 'recipient' },
      max_per_person_a_day: 1,
      guards: { failed_percent: 20, opted_out_percent: 3 },
      tripped: null,
    });
    const receipts = body(customer, { category: 'transactional', guards: { failed_percent: null } });
    expect(await data(customer, 'createBroadcast', { body: receipts })).toMatchObject({
      window: null,
      guards: { failed_percent: null, opted_out_percent: 3 },
    });
  });

  test('can be changed', async () => {
    const customer = await createCustomer(t.database);
    const { broadcast_id: id } = await data(customer, 'createBroadcast', { body: body(customer, {}) });
    const broadcastId = String(id);
    const change = {
      window: { from: '09:30', to: '24:00', zone: 'account' },
      max_per_person_a_day: null,
      guards: { opted_out_percent: 10 },
    };
    expect(await data(customer, 'updateBroadcast', { broadcastId, body: change })).toMatchObject({
      ...change,
      guards: { failed_percent: 20, opted_out_percent: 10 },
    });
    expect(await data(customer, 'updateBroadcast', { broadcastId, body: { window: null } })).toMatchObject({
      window: null,
      max_per_person_a_day: null,
    });
  });

  test.each([
    [{ window: { from: '8:00', to: '21:00' } }, 'window.from'],
    [{ window: { from: '21:00', to: '08:00' } }, 'window.to'],
    [{ window: { from: '08:00', to: '08:59' } }, 'window.to'],
    [{ max_per_person_a_day: 0 }, 'max_per_person_a_day'],
    [{ guards: { failed_percent: 101 } }, 'guards.failed_percent'],
  ])('%j is refused, and the answer names the field', async (rule, field) => {
    const customer = await createCustomer(t.database);
    const answer = await call(t.url, customer, 'createBroadcast', { body: body(customer, rule) });
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringContaining(`${field}:`) });
  });

  test('marketing without a window starts only if somebody confirms it', async () => {
    const customer = await createCustomer(t.database);
    const broadcastId = await createBroadcast(t, customer, 1);
    await data(customer, 'checkBroadcast', { broadcastId });
    const start = (input: object) => call(t.url, customer, 'startBroadcast', { broadcastId, body: input });
    expect((await start({})).body).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringContaining('confirm_any_hour'),
    });
    expect((await start({ confirm_any_hour: true })).status).toBe(200);
  });

  test('the check counts those for whom no hour is open, and a running broadcast does not get such hours', async () => {
    const customer = await createCustomer(t.database);
    const afternoon = { from: '12:00', to: '16:00' };
    const rows = ['12025550123', '6281234567890'].map((phone) => ({ phone }));
    const { broadcast_id: id } = await data(customer, 'createBroadcast', {
      body: body(customer, { window: afternoon, message: 'Halo', audience: { rows } }),
    });
    const broadcastId = String(id);
    expect(await data(customer, 'checkBroadcast', { broadcastId })).toMatchObject({
      sendable: 1,
      counts: { pending: 1, skipped: [{ reason: 'no_open_hour', count: 1 }] },
    });
    await data(customer, 'updateBroadcast', { broadcastId, body: { window: { from: '08:00', to: '21:00' } } });
    await data(customer, 'startBroadcast', { broadcastId, body: {} });
    expect(
      (await call(t.url, customer, 'updateBroadcast', { broadcastId, body: { window: afternoon } })).body,
    ).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringMatching(/^window: .* 1 people/),
    });
  });

  test('marketing that has started gets hours at night only if somebody confirms them', async () => {
    const customer = await createCustomer(t.database);
    const broadcastId = await createBroadcast(t, customer, 1);
    const update = (input: object) => call(t.url, customer, 'updateBroadcast', { broadcastId, body: input });
    expect((await update({ window: { from: '00:00', to: '24:00' } })).status).toBe(200);
    await data(customer, 'checkBroadcast', { broadcastId });
    expect((await call(t.url, customer, 'startBroadcast', { broadcastId, body: {} })).body).toMatchObject({
      error: expect.stringContaining('confirm_any_hour'),
    });
    expect((await update({ window: { from: '08:00', to: '21:00' } })).status).toBe(200);
    await data(customer, 'startBroadcast', { broadcastId, body: {} });
    for (const window of [null, { from: '00:00', to: '24:00' }, { from: '08:00', to: '21:01' }]) {
      expect((await update({ window })).body).toMatchObject({
        code: 'INVALID_REQUEST',
        error: expect.stringContaining('confirm_any_hour'),
      });
      expect((await update({ window, confirm_any_hour: true })).status).toBe(200);
    }
    expect((await update({ confirm_any_hour: true })).status).toBe(422);
  });
});
