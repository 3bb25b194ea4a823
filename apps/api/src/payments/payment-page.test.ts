/** Tests of what the payment page offers and what its receipt says. `money/renewal.test.ts` tests that it pays once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const renew = async (customer: Customer) =>
  String((await call(t.url, customer, 'renewAccount')).body.data['payment_url']);

const payOnPage = (url: string, body: string | URLSearchParams = '') =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  });

const methodsOf = async ({ accountId }: Customer) => {
  const text = 'SELECT method FROM ledger_entries WHERE account_id = $1';
  return (await t.database.pool.query<{ method: string | null }>(text, [accountId])).rows.map(({ method }) => method);
};

test('offers the ways of paying of the sandbox, marked as a test, and books the chosen one', async () => {
  const customer = await createCustomer(t.database);
  const url = await renew(customer);
  const html = await (await fetch(url)).text();
  expect(html.match(/name="method" value="\w+"/g)).toHaveLength(3);
  expect(html.match(/>Uji coba</g)).toHaveLength(3);
  expect((await payOnPage(url, new URLSearchParams({ method: 'bank_transfer' }))).status).toBe(303);
  expect(await methodsOf(customer)).toEqual(['bank_transfer', 'bank_transfer']);
  expect(await (await fetch(`${url}?lang=en`)).text()).toContain('Bank transfer (virtual account) (Test)');
});

test.each(['', 'method=shells', 'method=e_wallet&method=qris', '%'])(
  'takes the form %j without a way of paying',
  async (form) => {
    const customer = await createCustomer(t.database);
    const url = await renew(customer);
    expect((await payOnPage(url, form)).status).toBe(303);
    expect(await methodsOf(customer)).toEqual([null, null]);
  },
);

test('shows the days that are left beside the new ones, from when to when, and the zone in the language of the page', async () => {
  const customer = await createCustomer(t.database, { quota: 5 });
  await t.database.pool.query(
    `UPDATE subscription_periods SET ends_at = now() + interval '7 days' WHERE account_id = $1`,
    [customer.accountId],
  );
  const url = await renew(customer);
  expect(await (await fetch(url)).text()).toMatch(
    /30 hari \+ sisa 7 hari[^]*Berlaku<\/dt><dd>\d+ \w+ \d{4} – \d+ \w+ \d{4}</,
  );
  await payOnPage(url);
  const receipt = await (await fetch(`${url}?lang=en`)).text();
  expect(receipt).toMatch(/30 days \+ 7 days left over[^]*Valid<\/dt><dd>\d+ \w+ \d{4} – \d+ \w+ \d{4}<[^]*GMT\+7/);
  expect(receipt).not.toContain('WIB');
  await t.database.pool.query(`UPDATE accounts SET time_zone = 'Asia/Makassar' WHERE id = $1`, [customer.accountId]);
  expect(await (await fetch(url)).text()).toContain('WITA');
});

test('has the number of the invoice and its PDF, also for a payer who is no member', async () => {
  const url = await renew(await createCustomer(t.database));
  expect((await fetch(`${url}/invoice`)).status).toBe(404);
  await payOnPage(url);
  const receipt = await (await fetch(`${url}?lang=en`)).text();
  const number = /KRR-\d{8}-\w{8}/.exec(receipt)?.[0];
  const [, link] = /href="(\/pay\/[^"]+\/invoice\?lang=en)"/.exec(receipt) ?? [];
  const file = await fetch(`${t.url}${link}`);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${number}.pdf"`);
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect((await fetch(`${t.url}/pay/${'x'.repeat(32)}/invoice`)).status).toBe(404);
});
