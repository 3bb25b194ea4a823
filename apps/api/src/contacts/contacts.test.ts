import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { type CallOptions, call, signedHeaders } from '../../test/signed-request.js';
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

type Shown = { contact_id: string; phone: string; created: boolean };

const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}) =>
  call(t.url, customer, operation, options);
const save = async (body: object) => {
  const { data } = (await ask('saveContact', { body })).body;
  return { ...(data['contact'] as Shown), created: data['created'] as boolean };
};
const actions = async () => {
  const { rows } = await t.database.pool.query<{ action: string }>(
    'SELECT action FROM audit_log WHERE account_id = $1 ORDER BY id',
    [customer.accountId],
  );
  return rows.map(({ action }) => action);
};

describe('a number', () => {
  test('is read by the country of the account, and names one contact', async () => {
    const first = await save({ phone: '0812-3456 7890', name: 'Budi' });
    expect(first).toMatchObject({ phone: '6281234567890', created: true });
    expect(await save({ phone: '+62 812 3456 7890' })).toMatchObject({
      contact_id: first.contact_id,
      created: false,
      name: 'Budi',
    });
    await t.database.pool.query(`UPDATE accounts SET country = 'DE' WHERE id = $1`, [customer.accountId]);
    expect(await save({ phone: '0171 1234567' })).toMatchObject({ phone: '491711234567' });
  });

  test('that a spreadsheet ruined is refused with advice', async () => {
    const { status, body } = await ask('saveContact', { body: { phone: '6.28123E+12' } });
    expect([status, body.code]).toEqual([422, 'INVALID_PHONE_NUMBER']);
    expect(body.error).toMatch(/Format the column as text/);
  });
});

test('numbers are checked by what the account knows, and a text that is none refuses no other', async () => {
  await t.database.pool.query(
    `INSERT INTO device_contacts (device_id, recipient, heard_at) VALUES ($1, '6281234567890', now())`,
    [customer.deviceId],
  );
  const phones = ['0812-3456-7890', 'Budi', '0812 0000 0001'];
  const { status, body } = await ask('checkContacts', { body: { phones } });
  expect([status, body.data['checked']]).toEqual([
    200,
    [
      { asked: phones[0], phone: '6281234567890', on_network: 'yes', at: expect.any(String), error: null },
      { asked: phones[1], phone: null, on_network: 'no_number', at: null, error: expect.any(String) },
      { asked: phones[2], phone: '6281200000001', on_network: 'unknown', at: null, error: null },
    ],
  ]);
  expect((await ask('checkContacts', { body: { phones: Array.from({ length: 51 }, () => 'x') } })).status).toBe(422);
  expect(await actions()).toEqual([]);
});

test.each([
  [{ time_zone: 'Jakarta' }, /time_zone/],
  [{ locale: 'not a language' }, /locale/],
  [{ attributes: { 'a{b': 'x' } }, /attributes/],
  [{ attributes: { kota: 'x'.repeat(501) } }, /attributes\.kota/],
  [{ lists: ['a,b'] }, /lists\[0\]/],
  [{ consent: { source: '' } }, /consent\.source/],
  [{ nickname: 'B' }, /nickname/],
  [{ attributes: Object.fromEntries(Array.from({ length: 51 }, (_none, i) => [`k${i}`, 'v'])) }, /at most 50/],
])('%j is refused by its name', async (fields, named) => {
  const { status, body } = await ask('saveContact', { body: { phone: '081234567890', ...fields } });
  expect([status, body.error]).toEqual([422, expect.stringMatching(named)]);
});

test('a contact is read, changed, listed and deleted', async () => {
  const { contact_id: contactId } = await save({
    phone: '081234567890',
    attributes: { kota: 'Bandung' },
    consent: { source: 'Form' },
  });
  const changed = await ask('updateContact', { contactId, body: { name: 'Siti', locale: 'id_ID', consent: null } });
  expect(changed.body.data).toMatchObject({
    name: 'Siti',
    locale: 'id-ID',
    consent: null,
    attributes: { kota: 'Bandung' },
  });
  expect((await ask('getContact', { contactId })).body.data).toEqual(changed.body.data);
  const query = 'attribute=kota%3ABandung&q=sit&has_consent=false&phone=0812-3456-7890';
  expect((await ask('listContacts', { query })).body.data).toEqual({
    contacts: [changed.body.data],
    next_cursor: null,
  });
  expect((await ask('listContacts', { query: 'list=promo' })).body.data).toMatchObject({ contacts: [] });
  expect((await ask('deleteContact', { contactId })).status).toBe(200);
  expect((await ask('getContact', { contactId })).body.code).toBe('CONTACT_NOT_FOUND');
});

test('lists are changed by a filter and counted', async () => {
  await save({ phone: '081234567890', lists: ['lama'] });
  await save({ phone: '081234567891' });
  const body = { filter: { list: 'lama' }, add: ['promo'], remove: ['lama'] };
  expect((await ask('changeContactLists', { body })).body.data).toEqual({ changed: 1, has_more: false });
  expect((await ask('listContactLists')).body.data).toEqual({ lists: [{ name: 'promo', contacts: 1 }] });
});

describe('an export', () => {
  const download = async (query: string) => {
    const target = `/api/v1/contacts/export${query}`;
    return fetch(t.url + target, { headers: signedHeaders({ method: 'GET', target, key: customer.key }) });
  };

  test('is a CSV file in which no cell begins a formula', async () => {
    await save({ phone: '081234567890', name: '=1+1', lists: ['b', 'a'], attributes: { kota: 'Bandung' } });
    const answer = await download('');
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const [head, line] = (await answer.text()).split('\r\n');
    expect(head).toBe('phone,name,locale,time_zone,lists,attributes,consent_source,consent_at,created_at');
    expect(line).toMatch(/^6281234567890,'=1\+1,,,"a,b","\{""kota"":""Bandung""\}",,,20/);
    expect(await actions()).toEqual(['contacts.exported']);
  });

  test('is NDJSON on request, with all pages', async () => {
    await t.database.pool.query(
      `INSERT INTO contacts (id, account_id, phone) SELECT 'con_' || $1 || lpad(n::text, 6, '0'), $1, '62' || n FROM generate_series(1, 2500) n`,
      [customer.accountId],
    );
    const lines = (await (await download('?format=ndjson')).text()).trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as Shown).phone)).size).toBe(2_500);
  });

  test('without contacts has only a header', async () => {
    expect(await (await download('')).text()).toMatch(/^phone,name,[a-z_,]+\r\n$/);
    expect(await (await download('?format=ndjson')).text()).toBe('');
  });

  test('needs the scope', async () => {
    const key = await createKey(t.database, customer.accountId, { scopes: ['contacts:write'] });
    customer = { ...customer, key };
    expect(await (await download('')).json()).toMatchObject({ code: 'KEY_NOT_ALLOWED' });
    expect((await ask('saveContact', { body: { phone: '081234567890' } })).status).toBe(200);
  });
});
