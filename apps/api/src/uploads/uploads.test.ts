import { limits } from '@kurir/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { type CallOptions, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { guessMapping } from './guess-mapping.js';

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
const begin = async (bytes: number) =>
  String((await ask('createUpload', { body: { bytes, file_name: 'pelanggan.csv' } })).body.data['upload_id']);
const send = (uploadId: string, number: number, bytes: Uint8Array) =>
  ask('addUploadPart', { uploadId, body: { number, data: Buffer.from(bytes).toString('base64') } });
const upload = async (file: Buffer) => {
  const uploadId = await begin(file.length);
  await send(uploadId, 1, file);
  return (await ask('getUpload', { uploadId })).body.data;
};

test('a file in parts is shown with its columns, a guess and its first rows', async () => {
  const lines = Array.from({ length: 30 }, (_none, i) => `0812000000${String(10 + i)};Pelanggan ${i};Bandung`);
  const file = Buffer.from(`\ufeffNo. HP;Nama Lengkap;Kota\r\n${lines.join('\r\n')}`);
  const uploadId = await begin(file.length);
  expect((await ask('getUpload', { uploadId })).body.data).toMatchObject({ file: null, problem: null, parts: 0 });
  expect((await send(uploadId, 1, file.subarray(0, 100))).body.data).toMatchObject({ is_complete: false, parts: 1 });
  const early = (await ask('getUpload', { uploadId })).body.data;
  // The row after them is cut, so it is not shown.
  const preview = [{ row: 2, values: ['081200000010', 'Pelanggan 0', 'Bandung'] }, { row: 3 }];
  expect(early).toMatchObject({ file: { preview } });
  await send(uploadId, 2, file.subarray(100));
  await send(uploadId, 2, file.subarray(100));
  const { file: shown, ...summary } = (await ask('getUpload', { uploadId })).body.data;
  expect(summary).toMatchObject({ is_complete: true, parts: 2, received_bytes: file.length, problem: null });
  expect(shown).toMatchObject({
    form: 'csv',
    encoding: 'utf-8',
    separator: ';',
    columns: ['No. HP', 'Nama Lengkap', 'Kota'],
    mapping: { phone: 'No. HP', name: 'Nama Lengkap', locale: null, time_zone: null },
  });
  expect((shown as { preview: object[] }).preview).toHaveLength(limits.uploadPreviewRows);
});

test('a part of the largest size passes', async () => {
  const file = Buffer.alloc(limits.uploadPartMaxBytes, 'a,b\n');
  const uploadId = await begin(file.length);
  expect((await send(uploadId, 1, file)).body.data).toMatchObject({ is_complete: true });
});

test.each([
  ['a workbook', Buffer.from('PK\u0003\u0004rest'), 'workbook'],
  ['blank lines', Buffer.from('\n\n'), 'empty'],
  ['binary rubbish', Buffer.from([1, 2, 3, 0, 255, 254]), 'not_text'],
])('%s is told with advice', async (_name, file, code) => {
  expect(await upload(file)).toMatchObject({ file: null, problem: { code, error: expect.stringMatching(/\.$/) } });
});

describe('a part is refused', () => {
  test.each([
    [{ number: 0, data: 'YQ==' }, /number/],
    [{ number: 1, data: 'not base64!' }, /base64/],
    [{ number: 1, data: '' }, /data/],
    [{ number: 1, data: Buffer.alloc(20).toString('base64') }, /more bytes/],
  ])('%j', async (body, named) => {
    const { status, body: answer } = await ask('addUploadPart', { uploadId: await begin(10), body });
    expect([status, answer.error]).toEqual([422, expect.stringMatching(named)]);
  });

  test('with other bytes than before', async () => {
    const uploadId = await begin(10);
    await send(uploadId, 1, Buffer.from('abc'));
    expect((await send(uploadId, 1, Buffer.from('xyz'))).body.error).toMatch(/Begin a new upload/);
  });
});

test.each([
  [['HP', 'Nama'], [], 'HP', 'Nama'],
  [['nama', 'No WA'], [], 'No WA', 'nama'],
  [['Full Name', 'WhatsApp Number'], [], 'WhatsApp Number', 'Full Name'],
  [
    ['a', 'b'],
    [
      ['x', '081234567890'],
      ['y', ''],
      ['z', '081234567891'],
    ],
    'b',
    null,
  ],
  [['a', 'b'], [['x', 'y']], null, null],
])('the mapping of %j is guessed', (columns, rows, phone, name) => {
  expect(guessMapping(columns, rows, 'ID')).toMatchObject({ phone, name });
});
