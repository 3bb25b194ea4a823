/** Tests the dashboard's routes over HTTP. */
import { publicOperations } from '@kurir/contracts';
import { moveMessages } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createConnectedDevice } from '../../test/customer-fixture.js';
import { type FakeSimulator, startFakeSimulator } from '../../test/fake-simulator.js';
import { type Browser, type Person, signUp } from '../../test/person.js';
import { aMessage } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let simulator: FakeSimulator;
let person: Person;
let deviceId: string;
beforeAll(async () => {
  simulator = await startFakeSimulator();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SIMULATOR_URL: simulator.url });
  person = await signUp(t.url);
  deviceId = await createConnectedDevice(t.database, person.accountId);
});
afterAll(async () => {
  await t.close();
  await simulator.close();
});

const data = async (...args: Parameters<Browser['call']>) => {
  const answer = await person.browser.call(...args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

async function send(fields: object = {}): Promise<string> {
  return String((await data('sendMessage', { deviceId, body: { ...aMessage, ...fields } }))['job_id']);
}

/** Moves a message as a worker and the network do. */
async function move(jobId: string, to: 'failed' | 'delivered'): Promise<void> {
  await t.database.pool.query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = $1`, [jobId]);
  await moveMessages(t.database.pool, [
    { id: jobId, to, ...(to === 'failed' ? { reason: 'rejected_by_network', ownerEpoch: 1n } : {}) },
  ]);
}

test('the address of the gateway leads a browser to the dashboard, and tells a program its pages', async () => {
  const browser = await fetch(t.url, { headers: { Accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/app/']);
  const program = await fetch(t.url);
  expect(await program.json()).toMatchObject({ data: { docs: expect.stringMatching(/\/docs$/) } });
});

describe('messages', () => {
  test('are found by job id, by client_ref and by the beginning of a number', async () => {
    const ref = `ref-${Date.now()}`;
    const jobId = await send({ client_ref: ref, phone_destination: '6285712345678' });
    for (const q of [jobId, ref, '62857'])
      expect(await data('listMessages', { query: `q=${q}` })).toMatchObject({ messages: [{ job_id: jobId }] });
    expect(await data('listMessages', { query: 'q=62999' })).toMatchObject({ messages: [] });
  });

  test('show each step with its time, and their sender, but never the text', async () => {
    const jobId = await send();
    await move(jobId, 'delivered');
    const shown = await data('getMessage', { params: { job_id: jobId } });
    expect(shown).toMatchObject({
      status: 'delivered',
      sent_by: { id: person.userId },
      timeline: [{ status: 'queued' }, { status: 'sent' }, { status: 'delivered' }],
      can_cancel: false,
      can_retry: false,
    });
    expect(JSON.stringify(shown)).not.toContain(aMessage.message);
  });

  test('that failed are sent again once after repeated requests', async () => {
    const jobId = await send();
    expect((await person.browser.call('retryMessage', { params: { job_id: jobId } })).body.code).toBe(
      'JOB_NOT_RETRYABLE',
    );
    await move(jobId, 'failed');
    const again = await Promise.all([1, 2, 3].map(() => data('retryMessage', { params: { job_id: jobId } })));
    expect(new Set(again.map((answer) => answer['job_id'])).size).toBe(1);
    expect(again[0]?.['job_id']).not.toBe(jobId);
  });

  test('are cancelled, and give their quota back', async () => {
    const quota = async () =>
      ((await data('listPlans'))['subscription'] as { remaining_quota: number }).remaining_quota;
    const before = await quota();
    const jobId = await send();
    expect(await quota()).toBe(before - 1);
    expect(await data('cancelMessage', { params: { job_id: jobId } })).toMatchObject({ status: 'cancelled' });
    expect(await data('getMessage', { params: { job_id: jobId } })).toMatchObject({ can_retry: true });
    expect(await quota()).toBe(before);
  });

  test('are exported as CSV without formulas', async () => {
    const jobId = await send({ client_ref: '=HYPERLINK("x")' });
    const answer = await person.browser.fetch('GET', '/app/api/messages.csv?phone_destination=6281234567890');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toMatch(/^job_id,status,/);
    expect(lines.find((line) => line.startsWith(jobId))).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

describe('the sandbox', () => {
  test('a phone shows only messages of the account’s own devices', async () => {
    const number = '6281999000111';
    const jobId = await send({ phone_destination: number });
    await move(jobId, 'delivered');
    const { rows } = await t.database.pool.query<{ id: string }>(
      'SELECT network_message_id AS id FROM messages WHERE id = $1',
      [jobId],
    );
    const at = new Date().toISOString();
    simulator.inboxes.set(number, [
      { network_message_id: 'of-somebody-else', from: '62811', text: 'secret of another', received_at: at },
      { network_message_id: rows[0]?.id ?? '', from: '62812', text: aMessage.message, received_at: at },
    ]);
    expect(await data('listPhones')).toMatchObject({
      phones: expect.arrayContaining([expect.objectContaining({ number, messages: 1, last_text: aMessage.message })]),
    });
    const phone = await data('readPhone', { params: { number } });
    expect(phone['messages']).toEqual([
      expect.objectContaining({ job_id: jobId, device_id: deviceId, text: aMessage.message, direction: 'to_phone' }),
    ]);
  });

  test('phones are found by digits, and come in pages without gap or repeat', async () => {
    const numbers = ['6285550001', '6285550002', '6285550003'].map((start) => `${start}77`);
    for (const number of numbers) await move(await send({ phone_destination: number }), 'delivered');
    await t.database.pool.query(`UPDATE messages SET created_at = now() WHERE recipient = ANY ($1)`, [numbers]);
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await data('listPhones', { query: `q=08555000&limit=2${cursor}` });
      const phones = page['phones'] as { number: string; last_text: string | null }[];
      seen.push(...phones.map(({ number }) => number));
      expect(phones.map(({ last_text: text }) => text)).toEqual(phones.map(() => null));
      if (typeof page['next_cursor'] !== 'string') break;
      cursor = `&cursor=${page['next_cursor']}`;
    }
    expect(seen).toEqual(numbers);
    expect(await data('listPhones', { query: 'q=62000' })).toMatchObject({ phones: [], next_cursor: null });
    expect(await data('listPhones', { query: 'cursor=nothing.at.all' })).toMatchObject({ next_cursor: null });
  });

  test('a phone can write only to a device of the account', async () => {
    await t.database.pool.query('UPDATE devices SET phone_number = $2 WHERE id = $1', [deviceId, '6289900001111']);
    const body = { device_id: deviceId, text: 'Hi' };
    expect(await data('writeFromPhone', { params: { number: '6281234567890' }, body })).toMatchObject({
      direction: 'from_phone',
    });
    expect(simulator.written).toEqual(['6281234567890 6289900001111 Hi']);
  });
});

describe('the dashboard knows', () => {
  test('that the network and the payment page are simulated', async () => {
    expect(await data('readMe')).toMatchObject({ sandbox: true, payments: 'sandbox' });
  });

  test('that neither is simulated, and refuses phones and simulated devices', async () => {
    const real = await startTestApi({
      KURIR_TRUST_PROXY: 1,
      KURIR_SIMULATOR_URL: undefined,
      KURIR_SANDBOX_PAYMENTS: false,
    });
    onTestFinished(() => real.close());
    const { browser, accountId } = await signUp(real.url);
    expect((await browser.call('readMe')).body.data).toMatchObject({ sandbox: false, payments: null });
    const device_id = await createConnectedDevice(real.database, accountId);
    const params = { number: '6281234567890' };
    for (const asked of [
      browser.call('listPhones'),
      browser.call('readPhone', { params }),
      browser.call('writeFromPhone', { params, body: { device_id, text: 'Hi' } }),
    ])
      expect((await asked).body.code).toBe('NOT_IN_SANDBOX');
    const made = await browser.call('createDevice', { body: { name: 'Cabang', network: 'simulator' } });
    expect(made.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringMatching(/^network: /) });
  });
});

async function deviceShown(deviceId: string): Promise<unknown> {
  const query = `include=activity&device_id=${deviceId}`;
  const { devices } = publicOperations.listDevices.data.parse(await data('listDevices', { query }));
  expect(devices).toHaveLength(1);
  return devices[0];
}

test('a device is created, changed and shown with its waiting messages', async () => {
  const made = await data('createDevice', { body: { name: 'Cabang', network: 'simulator' } });
  const own = String(made['device_id']);
  const shown = () => deviceShown(own);
  expect(await shown()).toMatchObject({
    name: 'Cabang',
    state: 'disconnected',
    activity: { linked: false, backlog: { otp: 0, normal: 0, bulk: 0, scheduled: 0 } },
  });
  expect(await data('updateDevice', { deviceId: own, body: { pace_per_minute: 30 } })).toMatchObject({
    settings: { pace_per_minute: 30 },
  });
  expect(await data('linkDevice', { deviceId: own, body: {} })).toMatchObject({ state: 'pairing' });
  expect(await shown()).toMatchObject({ state: 'pairing', activity: { pairing_method: 'qr' }, pairing: null });
  expect(await data('cancelLink', { deviceId: own })).toMatchObject({ state: 'disconnected' });
  expect(await shown()).toMatchObject({ state: 'disconnected', activity: { pairing_method: null } });
});

test('a contested device is reconnected, and the answer has its present state', async () => {
  const own = await createConnectedDevice(t.database, person.accountId);
  await t.database.pool.query(`UPDATE devices SET state = 'connecting', state_reason = 'contested' WHERE id = $1`, [
    own,
  ]);
  const shown = () => deviceShown(own);
  expect(await shown()).toMatchObject({ state_reason: 'contested', activity: { health: { level: 'down' } } });
  expect(await data('reconnectDevice', { deviceId: own })).toMatchObject({ state: 'connecting' });
  expect(await shown()).toMatchObject({ state: 'connecting', state_reason: null });
});

test('the overview shows the next steps', async () => {
  expect(await data('readOverview')).toMatchObject({ first_steps: { message_sent: true } });
});

test('the report counts messages by hour and by day, and measures one-time codes', async () => {
  const jobId = await send({ priority: 'otp' });
  await move(jobId, 'delivered');
  const hourly = await data('readReport', { query: 'hours=3' });
  expect(hourly).toMatchObject({
    unit: 'hour',
    parts: [{ accepted: 0 }, {}, {}],
    otp: { count: 1, p50_ms: expect.any(Number) },
    counted_since: null,
  });
  const daily = await data('readReport', { query: 'days=30&time_zone=Asia/Makassar' });
  expect(daily).toMatchObject({ unit: 'day', all: hourly['all'], senders: [{ api_key: null }] });
  expect(daily['parts']).toHaveLength(30);
  const refused = await person.browser.call('readReport', { query: 'days=7&hours=3' });
  expect(refused).toMatchObject({ status: 422 });
});

test('a plan is chosen, renewed and paid, and then appears in the ledger and the invoices', async () => {
  const owner = await signUp(t.url);
  const created = await t.database.prisma.plan.create({
    data: { id: `pln_${Date.now()}`, name: `Paket ${Date.now()}`, durationDays: 30, priceRupiah: 50_000, quota: 10 },
  });
  expect((await owner.browser.call('renewAccount')).body.code).toBe('NO_PLAN_CHOSEN');
  await owner.browser.call('choosePlan', { params: { plan_id: created.id } });
  const renewal = (await owner.browser.call('renewAccount')).body.data;
  await fetch(String(renewal['payment_url']), { method: 'POST', redirect: 'manual' });
  const params = { renewal_id: String(renewal['renewal_id']) };
  expect((await owner.browser.call('getRenewal', { params })).body.data).toMatchObject({ state: 'paid' });
  expect((await owner.browser.call('listLedger')).body.data['entries']).toHaveLength(2);
  expect((await owner.browser.call('listInvoices')).body.data['invoices']).toMatchObject([
    { amount: 50_000, number: expect.stringMatching(/^KRR-\d{8}-/) },
  ]);
  expect((await owner.browser.call('listPlans')).body.data).toMatchObject({ subscription: { initial_quota: 110 } });
});
