/** Tests of the audiences that a request may name. A worker reads them; its own tests say what becomes of the rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadFile } from '../../test/contact-error-cases.js';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { call, type CallOptions } from '../../test/signed-request.js';
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

const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}, who = customer) =>
  call(t.url, who, operation, options);

const create = (audience: object, who = customer) =>
  ask('createBroadcast', { body: { name: 'Promo', message: 'Halo', device_ids: [who.deviceId], audience } }, who);

const upload = (text: string) => uploadFile({ well: t, customer }, text);

async function audienceOf(broadcastId: unknown): Promise<unknown> {
  const { rows } = await t.database.pool.query(
    'SELECT upload_id, country, mapping, filter, total FROM broadcast_audiences WHERE broadcast_id = $1',
    [broadcastId],
  );
  return rows[0];
}

const twoRows = 'No. HP;Nama;Kota\n081234567890;Budi;Solo\n6.28E+12;Siti;Bogor\n';

describe('a file', () => {
  test('is read with a guess of its columns', async () => {
    await t.database.pool.query(`UPDATE accounts SET country = 'MY' WHERE id = $1`, [customer.accountId]);
    const uploadId = await upload(twoRows);
    const { status, body } = await create({ upload_id: uploadId });
    expect([status, body.data]).toMatchObject([
      200,
      { state: 'checking', recipients: 0, planned_share: 0, audience_problem: null },
    ]);
    expect(await audienceOf(body.data['broadcast_id'])).toEqual({
      upload_id: uploadId,
      country: 'MY',
      mapping: { phone: 'No. HP', values: { Nama: 'Nama', Kota: 'Kota' } },
      filter: null,
      total: Buffer.byteLength(twoRows),
    });
  });

  test.each([
    [{ phone: 'Nama' }, { phone: 'Nama', values: { 'No. HP': 'No. HP', Kota: 'Kota' } }],
    [
      { phone: 'No. HP', values: { kota: 'Kota' } },
      { phone: 'No. HP', values: { kota: 'Kota' } },
    ],
    [
      { phone: 'No. HP', values: {} },
      { phone: 'No. HP', values: {} },
    ],
  ])('is read with the mapping %j', async (mapping, stored) => {
    const { body } = await create({ upload_id: await upload(twoRows), mapping });
    expect(await audienceOf(body.data['broadcast_id'])).toMatchObject({ mapping: stored });
  });

  test('of another account is not found', async () => {
    const uploadId = await upload(twoRows);
    const stranger = await createCustomer(t.database);
    expect((await create({ upload_id: uploadId }, stranger)).body.code).toBe('UPLOAD_NOT_FOUND');
  });

  test('is used once, by a broadcast or by an import', async () => {
    const [first, second] = [await upload(twoRows), await upload(twoRows)];
    const mapping = { phone: 'No. HP' };
    const answers = await Promise.all([create({ upload_id: first }), create({ upload_id: first })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await ask('createContactImport', { body: { upload_id: first, mapping } })).body.code).toBe(
      'UPLOAD_NOT_READY',
    );
    await ask('createContactImport', { body: { upload_id: second, mapping } });
    expect((await create({ upload_id: second })).body.code).toBe('UPLOAD_NOT_READY');
    const { broadcasts } = (await ask('listBroadcasts')).body.data as { broadcasts: unknown[] };
    expect(broadcasts).toHaveLength(1);
  });
});

describe('contacts', () => {
  test('are chosen by a filter', async () => {
    const { body } = await create({
      contacts: { list: 'promo', attribute: 'kota:Solo', has_consent: true, q: '0812' },
    });
    expect(body.data).toMatchObject({ state: 'checking', planned_share: 0 });
    expect(await audienceOf(body.data['broadcast_id'])).toMatchObject({
      filter: { list: 'promo', attribute: { key: 'kota', value: 'Solo' }, hasConsent: true, search: '0812' },
    });
  });

  test('are not chosen by a key that may not read them', async () => {
    const blind = {
      ...customer,
      key: await createKey(t.database, customer.accountId, { scopes: ['broadcasts:write'] }),
    };
    const { status, body } = await create({ contacts: {} }, blind);
    expect([status, body.code, body.error]).toEqual([403, 'KEY_NOT_ALLOWED', expect.stringMatching(/contacts:read/)]);
  });
});

test.each([
  [{}, /audience: must have exactly one/],
  [{ rows: [], contacts: {} }, /audience: must have exactly one/],
  [{ contacts: {}, mapping: { phone: 'HP' } }, /audience\.mapping: goes with upload_id/],
  [{ contacts: { colour: 'red' } }, /Unknown field "colour"/],
])('an audience %j is refused', async (audience, named) => {
  const { status, body } = await create(audience);
  expect([status, body.error]).toEqual([422, expect.stringMatching(named)]);
});

test.each([
  ['HP;Nama\nBudi;Siti\n', { phone: 'Telepon' }, /audience\.mapping\.phone/],
  ['HP;Nama\n0812;Siti\n', { phone: 'HP', values: { kota: 'Kota' } }, /audience\.mapping\.values\.kota/],
  ['Kota;Nama\nSolo;Siti\n', undefined, /no column looks like phone numbers/],
])('a file %j with the mapping %j is refused at once', async (text, mapping, named) => {
  const { status, body } = await create({ upload_id: await upload(text), mapping });
  expect([status, body.error]).toEqual([422, expect.stringMatching(named)]);
});

test('while it is checking, a check fixes nothing, nobody adds rows, and it can only be cancelled', async () => {
  const broadcastId = String((await create({ upload_id: await upload(twoRows) })).body.data['broadcast_id']);
  const checked = await ask('checkBroadcast', { broadcastId });
  expect(checked.body.data).toMatchObject({ broadcast: { state: 'checking' }, sendable: 0 });
  const rows = [{ phone: '6281234567890' }];
  for (const [operation, body] of [
    ['addBroadcastRecipients', { after: 0, rows }],
    ['startBroadcast', {}],
    ['pauseBroadcast', undefined],
  ] as const)
    expect((await ask(operation, { broadcastId, body })).body.code, operation).toBe('BROADCAST_STATE');
  expect((await ask('getBroadcast', { broadcastId })).body.data).toMatchObject({ broadcast: { state: 'checking' } });
  const cancelled = await ask('cancelBroadcast', { broadcastId });
  expect(cancelled.body.data).toMatchObject({ state: 'cancelled', planned_share: null });
});

test('a problem is told with a sentence', async () => {
  const broadcastId = String((await create({ contacts: {} })).body.data['broadcast_id']);
  const tell = async (code: string) => {
    await t.database.pool.query(
      'UPDATE broadcast_audiences SET problem = $2, problem_row = 7 WHERE broadcast_id = $1',
      [broadcastId, code],
    );
    return (await ask('getBroadcast', { broadcastId })).body.data;
  };
  for (const [code, error] of [
    ['upload_gone', /Send it again/],
    ['quote_not_closed', /Close the quote/],
    ['of_a_later_version', /could not be read/],
  ] as const)
    expect(await tell(code)).toMatchObject({
      broadcast: { audience_problem: { code, row: 7, error: expect.stringMatching(error) } },
    });
});
