import { createHmac } from 'node:crypto';
import { publicOperations, newId } from '@kurir/contracts';
import { choosePlan, createAccount, createPlan } from '@kurir/database';
import { signPayload } from '@kurir/signing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call, readAnswer, type Sent } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const dayMs = 86_400_000;

async function renew(customer: Customer, query?: string): Promise<string> {
  const answer = await call(t.url, customer, 'renewAccount', query === undefined ? {} : { query });
  expect(answer.status, answer.body.error).toBe(200);
  return String(answer.body.data['payment_url']);
}

async function info(customer: Customer) {
  return publicOperations.accountInfo.data.parse((await call(t.url, customer, 'accountInfo')).body.data);
}

type Row = { id: string; state: string; price_rupiah: number };

async function renewalsOf({ accountId }: Customer): Promise<Row[]> {
  const text = 'SELECT id, state, price_rupiah FROM renewals WHERE account_id = $1 ORDER BY created_at, id';
  return (await t.database.pool.query<Row>(text, [accountId])).rows;
}

async function ledgerOf({ accountId }: Customer): Promise<unknown[]> {
  const text = 'SELECT kind, amount_rupiah FROM ledger_entries WHERE account_id = $1 ORDER BY kind';
  return (await t.database.pool.query(text, [accountId])).rows;
}

const booked = [
  { kind: 'charge', amount_rupiah: -150_000 },
  { kind: 'payment', amount_rupiah: 150_000 },
];

const payOnPage = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers });

type Notice = { renewal_id?: unknown; payment_id?: unknown; amount?: unknown; status?: unknown };

type CallbackOptions = { readonly secret?: string; readonly timestamp?: string; readonly signature?: string };

async function callBack(notice: Notice | string, options: CallbackOptions = {}): Promise<Sent> {
  const body = typeof notice === 'string' ? notice : JSON.stringify({ payment_id: 'p1', status: 'paid', ...notice });
  const { secret = t.api.sandbox.callbackSecret, timestamp = String(Date.now()) } = options;
  const headers = {
    'Content-Type': 'application/json',
    'X-Timestamp': timestamp,
    'X-Signature': options.signature ?? signPayload(secret, timestamp, body),
  };
  return readAnswer(await fetch(`${t.url}/callbacks/payments/sandbox`, { method: 'POST', headers, body }));
}

async function pendingRenewal(): Promise<{ customer: Customer; renewal: Row }> {
  const customer = await createCustomer(t.database, { quota: 5 });
  await renew(customer);
  const [renewal] = await renewalsOf(customer);
  if (renewal === undefined) throw new Error('no renewal was made');
  return { customer, renewal };
}

test('a repeat with the same Idempotency-Key gets the same renewal, also after it was paid', async () => {
  const customer = await createCustomer(t.database);
  const planId = await createPlan(t.database, { name: newId('pln'), durationDays: 30, priceRupiah: 5_000, quota: 10 });
  await choosePlan(t.database, customer.accountId, planId);
  const ask = (key: string) =>
    call(t.url, customer, 'renewAccount', { headers: { 'Idempotency-Key': key }, version: 2 });
  const first = await ask('period-1');
  await payOnPage(String(first.body.data['payment_url']));
  const again = await ask('period-1');
  expect(again.body.data['renewal_id']).toBe(first.body.data['renewal_id']);
  expect(again.body.data['description']).toContain('was paid already');
  expect((await ask('period-2')).body.data['renewal_id']).not.toBe(first.body.data['renewal_id']);
  expect((await renewalsOf(customer)).map(({ state }) => state)).toEqual(['paid', 'pending']);
});

describe('a renewal', () => {
  test.each(['%00', 'rnw_', 'rnw_01kajp4m3s5y8zt0v6qk2c9hbe'])('of the id %s is not found', async (renewalId) => {
    const answer = await call(t.url, await createCustomer(t.database), 'getRenewal', { renewalId });
    expect([answer.status, answer.body.code]).toEqual([404, 'RENEWAL_NOT_FOUND']);
  });

  test('is found by the id that its creation returned', async () => {
    const customer = await createCustomer(t.database);
    const renewed = await call(t.url, customer, 'renewAccount');
    const renewalId = String(renewed.body.data['renewal_id']);
    const { body } = await call(t.url, customer, 'getRenewal', { renewalId });
    expect(publicOperations.getRenewal.data.parse(body.data)).toMatchObject({
      renewal_id: renewalId,
      state: 'pending',
      paid_at: null,
    });
  });

  test('describes the created renewal and gives the address of the payment page', async () => {
    const customer = await createCustomer(t.database);
    const { body } = await call(t.url, customer, 'renewAccount', { query: 'payment_method=ordinary&other=1' });
    const { description, payment_url } = publicOperations.renewAccount.data.parse(body.data);
    expect(description).toContain(customer.accountId);
    expect(description).toMatch(/Paket .* was created and awaits payment of Rp\s150,000\./);
    expect(payment_url).toMatch(/\/pay\/[\w-]{32}$/);
  });

  test('that awaits payment is returned again, also to twenty parallel requests', async () => {
    const customer = await createCustomer(t.database);
    const urls = await Promise.all(Array.from({ length: 20 }, () => renew(customer)));
    expect(new Set(urls).size).toBe(1);
    expect(await renewalsOf(customer)).toHaveLength(1);
  });

  test('of another plan cancels the pending one', async () => {
    const customer = await createCustomer(t.database);
    const first = await renew(customer);
    const planId = await createPlan(t.database, {
      name: `Lain ${newId('pln')}`,
      durationDays: 1,
      priceRupiah: 10_000,
      quota: null,
    });
    await choosePlan(t.database, customer.accountId, planId);
    expect(await renew(customer)).not.toBe(first);
    expect((await renewalsOf(customer)).map(({ state }) => state)).toEqual(['cancelled', 'pending']);
  });

  test('is refused before a plan was chosen', async () => {
    const accountId = await createAccount(t.database, 'test');
    const customer = {
      accountId,
      key: await createKey(t.database, accountId),
      deviceId: await createConnectedDevice(t.database, accountId),
    };
    expect((await call(t.url, customer, 'renewAccount')).body.code).toBe('NO_PLAN_CHOSEN');
    expect((await call(t.url, customer, 'accountInfo')).body.code).toBe('NO_PLAN_CHOSEN');
    // Without a chosen plan, the api shows the cheapest one.
    expect((await call(t.url, customer, 'latestPlan')).status).toBe(200);
  });
});

describe('the payment page', () => {
  test('shows plan, price and state, takes the payment, and then shows that it is paid', async () => {
    const customer = await createCustomer(t.database, { quota: 5 });
    const before = await info(customer);
    const url = await renew(customer);
    const page = await fetch(url);
    const html = await page.text();
    expect(html).toMatch(/Rp150\.000[^]*Menunggu pembayaran[^]*Bayar Rp150\.000[^]*href="\/app\/billing"/);
    expect(html).not.toContain('Awaiting');
    const english = await (await fetch(url, { headers: { 'Accept-Language': 'en-GB,en;q=0.9' } })).text();
    expect(english).toMatch(/<html lang="en">[^]*Awaiting payment[^]*Back to Kurir/);
    expect(english).not.toContain('Menunggu');
    const chosen = await (await fetch(`${url}?lang=id`, { headers: { 'Accept-Language': 'en' } })).text();
    expect(chosen).toContain('Menunggu');
    expect(html).not.toMatch(/<script|onclick/);
    expect(page.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);

    const paid = await payOnPage(url, { 'Sec-Fetch-Site': 'same-origin' });
    expect([paid.status, paid.headers.get('Location')]).toEqual([303, new URL(url).pathname]);
    const after = await (await fetch(url)).text();
    expect(after).toMatch(/Bukti pembayaran[^]*Dibayar[^]*WIB[^]*Lunas/);
    expect(after).not.toMatch(/<form|rnw_/);

    const now = await info(customer);
    expect(Date.parse(now.expiry_date) - Date.parse(before.expiry_date)).toBe(30 * dayMs);
    expect([now.initial_quota, now.remaining_quota]).toEqual(['10', '10']);
    expect(await ledgerOf(customer)).toEqual(booked);
  });

  test('pays once after twenty parallel clicks', async () => {
    const customer = await createCustomer(t.database);
    const before = await info(customer);
    const url = await renew(customer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => payOnPage(url)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([303]));
    expect(Date.parse((await info(customer)).expiry_date) - Date.parse(before.expiry_date)).toBe(30 * dayMs);
    expect(await ledgerOf(customer)).toEqual(booked);
  });

  test('lets the account send at once, also after the plan has expired', async () => {
    const customer = await createCustomer(t.database, { quota: 5 });
    await t.database.pool.query(
      `UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`,
      [customer.accountId],
    );
    const send = () => call(t.url, customer, 'sendMessage', { body: aMessage });
    expect((await send()).body.code).toBe('PLAN_EXPIRED');
    await payOnPage(await renew(customer));
    expect((await send()).status).toBe(200);
    expect(await info(customer)).toMatchObject({ days_left: 30, initial_quota: '5', remaining_quota: '4' });
  });

  test.each(['expired', 'cancelled'])(
    'of a renewal that is %s has no button, but a payment still counts',
    async (state) => {
      const { customer, renewal } = await pendingRenewal();
      const url = await renew(customer);
      await t.database.pool.query(`UPDATE renewals SET state = $2 WHERE id = $1`, [renewal.id, state]);
      expect(await (await fetch(url)).text()).not.toContain('<form');
      expect((await payOnPage(url)).status).toBe(303);
      expect(await renewalsOf(customer)).toMatchObject([{ state: 'paid' }]);
    },
  );

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another site of the same owner', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin, in an older browser', { Origin: 'https://evil.example' }],
    ['a hidden origin', { Origin: 'null' }],
  ])('refuses a payment from %s', async (_, headers: Record<string, string>) => {
    const { customer } = await pendingRenewal();
    expect((await payOnPage(await renew(customer), headers)).status).toBe(403);
    expect(await renewalsOf(customer)).toMatchObject([{ state: 'pending' }]);
  });

  test('takes a payment from its own origin', async () => {
    const { customer } = await pendingRenewal();
    const url = await renew(customer);
    expect((await payOnPage(url, { Origin: new URL(url).origin })).status).toBe(303);
  });

  test.each(['unknown-token-of-nobody', 'x', '%00', '<script>', 'a'.repeat(200)])(
    'is not found for the token %s',
    async (token) => {
      for (const method of ['GET', 'POST']) {
        const page = await fetch(`${t.url}/pay/${encodeURIComponent(token)}`, { method });
        expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
      }
    },
  );

  test('escapes the name of a plan', async () => {
    const customer = await createCustomer(t.database);
    const name = `<b>"Paket" & 'co'</b> ${newId('pln')}`;
    const planId = await createPlan(t.database, { name, durationDays: 1, priceRupiah: 1, quota: null });
    await choosePlan(t.database, customer.accountId, planId);
    const html = await (await fetch(await renew(customer))).text();
    expect(html).toContain('&lt;b&gt;&quot;Paket&quot; &amp; &#39;co&#39;&lt;/b&gt;');
    expect(html).not.toContain('<b>"');
  });
});

describe('the payment callback', () => {
  test('extends the account once after twenty parallel calls with three payment ids, and two payments must be returned', async () => {
    const { customer, renewal } = await pendingRenewal();
    const before = await info(customer);
    const notices = Array.from({ length: 20 }, (_, i) => ({
      renewal_id: renewal.id,
      payment_id: `p${i % 3}`,
      amount: 150_000,
    }));
    const answers = await Promise.all(notices.map((notice) => callBack(notice)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(Date.parse((await info(customer)).expiry_date) - Date.parse(before.expiry_date)).toBe(30 * dayMs);
    const [charge, ...payments] = await ledgerOf(customer);
    expect([charge, payments[0]]).toEqual(booked);
    expect(payments).toHaveLength(3);
  });

  test('with a wrong, old or missing signature is 401 and changes nothing', async () => {
    const { customer, renewal } = await pendingRenewal();
    const notice = { renewal_id: renewal.id, amount: 150_000 };
    const old = String(Date.now() - 3_600_000);
    const body = JSON.stringify({ ...notice, payment_id: 'p1', status: 'paid' });
    const answers = [
      await callBack(notice, { secret: 'guessed' }),
      await callBack(notice, { timestamp: old }),
      await callBack(notice, { signature: '' }),
      await callBack(notice, {
        signature: createHmac('sha256', t.api.sandbox.callbackSecret).update(body).digest('hex'),
      }),
      await readAnswer(await fetch(`${t.url}/callbacks/payments/sandbox`, { method: 'POST', body })),
    ];
    for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
    expect(await renewalsOf(customer)).toMatchObject([{ state: 'pending' }]);
  });

  test('for an unknown renewal is 404 and books nothing', async () => {
    const unknown = await callBack({ renewal_id: newId('rnw'), amount: 150_000 });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('with a wrong amount is 422, and the payment stands in the ledger', async () => {
    const { customer, renewal } = await pendingRenewal();
    for (const amount of [149_999, 150_001, 0]) {
      const wrong = await callBack({ renewal_id: renewal.id, payment_id: `${renewal.id}-${amount}`, amount });
      expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_REQUEST']);
    }
    expect(await ledgerOf(customer)).toHaveLength(2);
    expect(await renewalsOf(customer)).toMatchObject([{ state: 'pending' }]);
  });

  test('that names a payment of another renewal is 422 and says so', async () => {
    const [first, second] = [await pendingRenewal(), await pendingRenewal()];
    const payment_id = `once-${first.renewal.id}`;
    expect((await callBack({ renewal_id: first.renewal.id, payment_id, amount: 150_000 })).status).toBe(200);
    const again = await callBack({ renewal_id: second.renewal.id, payment_id, amount: 150_000 });
    expect([again.status, again.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(again.body.error).toContain('another renewal');
    expect(await ledgerOf(second.customer)).toEqual([]);
  });

  test.each([
    '',
    '{',
    '[]',
    '{"renewal_id": 7}',
    '{"renewal_id": "rnw_\\u0000", "payment_id": "p", "amount": 1, "status": "paid"}',
  ])('that says %j is refused in the envelope', async (body) => {
    const answer = await callBack(body);
    expect([400, 422]).toContain(answer.status);
    expect(answer.body.success).toBe(false);
  });
});
