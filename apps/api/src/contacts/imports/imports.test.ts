import { limits } from '@kurir/contracts';
import { createAccountKeys, createSealer } from '@kurir/database';
import { seal } from '@kurir/signing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../../test/customer-fixture.js';
import { type CallOptions, call, signedHeaders } from '../../../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}) =>
  call(t.url, customer, operation, options);

async function upload(text: string, missing = 0): Promise<string> {
  const file = Buffer.from(text);
  const begun = await ask('createUpload', { body: { bytes: file.length + missing, file_name: 'a.csv' } });
  const uploadId = String(begun.body.data['upload_id']);
  await ask('addUploadPart', { uploadId, body: { number: 1, data: file.toString('base64') } });
  return uploadId;
}

const twoRows = 'HP;Nama\n081234567890;Budi\n6.28E+12;Siti\n';
const mapping = { phone: 'HP', name: 'Nama' };
const begin = (uploadId: string, fields: object = {}) =>
  ask('createContactImport', { body: { upload_id: uploadId, mapping, ...fields } });

test('an import is begun once for an upload, and a repeat returns it', async () => {
  const uploadId = await upload(twoRows);
  const first = await begin(uploadId, { lists: ['promo'], consent: { source: 'Form' } });
  expect(first.body.data).toMatchObject({
    state: 'waiting',
    upload_id: uploadId,
    file_name: 'a.csv',
    progress: 0,
    rows: 0,
  });
  const again = await begin(uploadId, { lists: ['promo'], consent: { source: 'Form' } });
  expect(again.body.data['import_id']).toBe(first.body.data['import_id']);
  expect((await begin(uploadId)).body.code).toBe('UPLOAD_NOT_READY');
  const { rows } = await t.database.pool.query('SELECT 1 FROM audit_log WHERE account_id = $1 AND action = $2', [
    customer.accountId,
    'contacts.imported',
  ]);
  expect(rows).toHaveLength(1);
});

describe('an import is refused', () => {
  test('while parts are missing', async () => {
    const { body } = await begin(await upload(twoRows, 10));
    expect([body.code, body.error]).toEqual(['UPLOAD_NOT_READY', expect.stringMatching(/missing parts/)]);
  });

  test('when the file is no table', async () => {
    expect((await begin(await upload('PK\u0003\u0004'))).body.code).toBe('UPLOAD_NOT_READABLE');
  });

  test.each([
    [{ mapping: { phone: 'Telepon' } }, /mapping\.phone/],
    [{ mapping: { ...mapping, attributes: { kota: 'Kota' } } }, /mapping\.attributes\.kota/],
    [{ mapping: { ...mapping, attributes: { 'a:b': 'Nama' } } }, /mapping\.attributes/],
    [{ on_existing: 'replace' }, /on_existing/],
    [{ lists: [''] }, /lists\[0\]/],
  ])('with %j', async (fields, named) => {
    const { status, body } = await begin(await upload(twoRows), fields);
    expect([status, body.error]).toEqual([422, expect.stringMatching(named)]);
  });

  test('when ten of the account wait', async () => {
    await t.database.pool.query(
      `INSERT INTO contact_imports (id, account_id, upload_id, bytes, country, mapping, on_existing)
       SELECT 'imp_' || $1 || n, $1, 'upl_' || $1 || n, 1, 'ID', '{}', 'keep' FROM generate_series(1, $2) n`,
      [customer.accountId, limits.importsMax],
    );
    expect((await begin(await upload(twoRows))).body.code).toBe('IMPORT_LIMIT_REACHED');
  });
});

test('an import that waits is cancelled, once', async () => {
  const importId = String((await begin(await upload(twoRows))).body.data['import_id']);
  expect((await ask('cancelContactImport', { importId })).body.data).toMatchObject({ state: 'cancelled' });
  expect((await ask('cancelContactImport', { importId })).body.code).toBe('IMPORT_ENDED');
  expect((await ask('getContactImport', { importId })).body.data).toMatchObject({ state: 'cancelled' });
});

test('the file of refused rows has the columns and the separator of the upload, and reasons in the asked language', async () => {
  const text = 'Nama;HP;Kota\n=Budi;6.28E+12;"Solo; Jawa"\n';
  const begun = await ask('createContactImport', {
    body: { upload_id: await upload(text), mapping: { phone: 'HP', name: 'Nama' } },
  });
  const importId = String(begun.body.data['import_id']);
  const { accountId } = customer;
  const keys = (await createAccountKeys(t.database, createSealer(masterKey)).sealing(new Map([[accountId, 1]]))).get(
    accountId,
  );
  if (keys === undefined) throw new Error('no keys');
  const cells = seal(keys.dataKey, JSON.stringify(['=Budi', '6.28E+12', 'Solo; Jawa']), `${importId} 2`);
  await t.database.pool.query(
    `INSERT INTO contact_import_refusals (import_id, row, column_name, value, code, sealed, key_number, same_as_row)
     VALUES ($1, 2, 'HP', '6.28E+12', 'ruined_by_excel', $2, $3, NULL), ($1, 5, NULL, '62812', 'duplicate_in_file', NULL, NULL, 2)`,
    [importId, cells, keys.number],
  );
  const target = `/api/v1/contacts/imports/${importId}/refused.csv?language=id`;
  const answer = await fetch(t.url + target, { headers: signedHeaders({ method: 'GET', target, key: customer.key }) });
  expect(answer.headers.get('content-disposition')).toContain('"baris-ditolak.csv"');
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(lines[0]).toBe('Nama;HP;Kota;Alasan');
  expect(lines[1]).toMatch(/^'=Budi;6\.28E\+12;"Solo; Jawa";"Excel merusak/);
  expect(lines[2]).toBe(';62812;;Sama dengan baris 2');
});

test('refused rows come in pages and as a file, with advice', async () => {
  const importId = String((await begin(await upload(twoRows))).body.data['import_id']);
  await t.database.pool.query(
    `INSERT INTO contact_import_refusals (import_id, row, column_name, value, code)
     VALUES ($1, 3, 'HP', '6.28E+12', 'ruined_by_excel'), ($1, 7, NULL, '=1+1', 'extra_cells'), ($1, 9, 'HP', '', 'of_later_version')`,
    [importId],
  );
  const first = (await ask('listRefusedRows', { importId, query: 'limit=2' })).body.data;
  expect(first).toMatchObject({
    refused: [
      { row: 3, column: 'HP', value: '6.28E+12', code: 'ruined_by_excel', error: expect.stringMatching(/as text/) },
      { row: 7, column: null },
    ],
    next_cursor: '7',
  });
  const rest = (await ask('listRefusedRows', { importId, query: 'cursor=7' })).body.data;
  expect(rest).toMatchObject({ refused: [{ row: 9 }], next_cursor: null });
  const target = `/api/v1/contacts/imports/${importId}/refused.csv`;
  const answer = await fetch(t.url + target, { headers: signedHeaders({ method: 'GET', target, key: customer.key }) });
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe('HP;Nama;Reason');
  expect(lines[1]).toMatch(/^6.28E\+12;;"The spreadsheet/);
  expect(lines[2]).toMatch(/^'=1\+1;;"?The row has more cells/);
});
