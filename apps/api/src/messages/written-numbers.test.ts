/** Tests that requests may contain numbers as people write them, and that only canonical numbers are stored. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const send = (customer: Customer, phone: string, more: object = {}) =>
  call(t.url, customer, 'sendMessage', { body: { ...aMessage, phone_destination: phone, ...more } });

async function recipientsOf({ accountId }: Customer): Promise<string[]> {
  const text = 'SELECT recipient FROM messages WHERE account_id = $1 ORDER BY seq';
  const { rows } = await t.database.pool.query<{ recipient: string }>(text, [accountId]);
  return rows.map(({ recipient }) => recipient);
}

test('however a number is written, one client_ref stays one message', async () => {
  const customer = await createCustomer(t.database);
  const written = ['6281234567890', '081234567890', '+62 812-3456-7890', '0062 812 3456 7890'];
  const jobs = [];
  for (const phone of written) jobs.push((await send(customer, phone, { client_ref: 'kode-1' })).body.data['job_id']);
  expect(new Set(jobs).size).toBe(1);
  expect(await recipientsOf(customer)).toEqual(['6281234567890']);
});

test('the country of the account says what a local number means, in single messages and in a bulk', async () => {
  const [indonesian, malaysian] = [await createCustomer(t.database), await createCustomer(t.database)];
  await t.database.pool.query(`UPDATE accounts SET country = 'MY' WHERE id = $1`, [malaysian.accountId]);
  // At the same time, so that one account's country could reach the other's requests.
  const local = (customer: Customer) => [
    ...Array.from({ length: 10 }, () => send(customer, '0123456789')),
    call(t.url, customer, 'sendBulk', {
      body: { messages: Array.from({ length: 300 }, () => ({ ...aMessage, phone_destination: '012-345 6789' })) },
    }),
  ];
  await Promise.all([...local(malaysian), ...local(indonesian)]);
  expect(new Set(await recipientsOf(malaysian))).toEqual(new Set(['60123456789']));
  expect(await recipientsOf(malaysian)).toHaveLength(310);
  expect(new Set(await recipientsOf(indonesian))).toEqual(new Set(['62123456789']));
  expect(await recipientsOf(indonesian)).toHaveLength(310);
});

test('the rows of a broadcast are read as they are written, and what is no number is skipped', async () => {
  const customer = await createCustomer(t.database);
  const audience = { rows: [{ phone: '0812-3456-7890' }, { phone: '+62 812 3456 7891' }, { phone: 'Budi' }] };
  const body = { name: 'Promo', message: 'Halo', device_ids: [customer.deviceId], audience };
  const made = await call(t.url, customer, 'createBroadcast', { body });
  const broadcastId = String(made.body.data['broadcast_id']);
  const listed = await call(t.url, customer, 'listBroadcastRecipients', { broadcastId });
  expect(listed.body.data['recipients']).toMatchObject([
    { phone: '6281234567890', outcome: 'pending' },
    { phone: '6281234567891', outcome: 'pending' },
    { outcome: 'skipped' },
  ]);
});

test('digits alone keep their country code, so that a wrong number is not another person’s', async () => {
  const customer = await createCustomer(t.database);
  expect((await send(customer, '1202555014')).body.code).toBe('INVALID_PHONE_NUMBER');
  expect((await send(customer, '812345678')).body.code).toBe('INVALID_PHONE_NUMBER');
});

test('filters, opt-outs and previews read them too', async () => {
  const customer = await createCustomer(t.database);
  await send(customer, '081234567890');
  const listed = await call(t.url, customer, 'listMessages', { query: 'phone_destination=0812-3456-7890' });
  expect(listed.body.data['messages']).toMatchObject([{ phone_destination: '6281234567890' }]);
  const added = await call(t.url, customer, 'addSuppressions', { body: { phone: '0812 1111 1111' } });
  expect(added.status).toBe(200);
  expect((await send(customer, '+62 81211111111', { category: 'marketing' })).body.code).toBe('RECIPIENT_SUPPRESSED');
  const removed = await call(t.url, customer, 'removeSuppression', { phone: '0812-1111-1111' });
  expect(removed.status).toBe(200);
  const wrong = await send(customer, '0812');
  expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_PHONE_NUMBER']);
  expect(wrong.body.error).toBe(
    'phone_destination: must be a phone number, such as 0812 3456 7890 or +62 812 3456 7890.',
  );
});
