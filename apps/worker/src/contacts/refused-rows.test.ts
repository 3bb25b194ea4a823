/** Tests of what is kept of rows that an import refuses. */
import { eraseNumber } from '@kurir/database';
import { type ImportView, readRefusedRows } from '@kurir/database/contacts';
import { expect, test } from 'vitest';
import { ImportFixture } from '../../test/import-fixture.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { runImport } from './run-import.js';

const fixture = useWorkerFixture();
const database = () => fixture().database;
const imports = new ImportFixture(database);

const file = [
  'Nama;HP;Kota',
  'Budi;081234567890;Bandung',
  'Siti;0812 ABC;Solo',
  'Budi lagi;+62 812-3456-7890;Jakarta',
  'Ani;081234567891;Medan;lebih',
  `${'x'.repeat(30_000)};;`,
].join('\r\n');

async function importFile(): Promise<ImportView> {
  const accountId = await imports.account();
  const begun = await imports.begin(accountId, file, { columns: ['Nama', 'HP', 'Kota'], separator: ';' });
  const { accountKeys } = fixture();
  const { signal } = new AbortController();
  await runImport({ database: database(), accountKeys, signal, ...(await imports.take(begun)) });
  return imports.read(begun);
}

const read = (ended: ImportView) => readRefusedRows(database(), fixture().accountKeys, ended, { after: 0, limit: 10 });

test('the cells of refused rows are kept as they stand in the file, sealed, and a duplicate names the first row', async () => {
  const ended = await importFile();
  expect(ended).toMatchObject({ added: 1, columns: ['Nama', 'HP', 'Kota'], separator: ';' });
  expect((await read(ended)).map(({ row, code, sameAsRow, cells }) => [row, code, sameAsRow, cells])).toEqual([
    [3, 'not_a_number', null, ['Siti', '0812 ABC', 'Solo']],
    [4, 'duplicate_in_file', 2, ['Budi lagi', '+62 812-3456-7890', 'Jakarta']],
    [5, 'extra_cells', null, ['Ani', '081234567891', 'Medan', 'lebih']],
    // It is too long.
    [6, 'empty', null, null],
  ]);
  const { rows } = await database().pool.query<{ text: string }>(
    `SELECT encode(sealed, 'escape') AS text FROM contact_import_refusals WHERE import_id = $1`,
    [ended.id],
  );
  expect(JSON.stringify(rows)).not.toMatch(/Siti|Solo/);
});

test('cells go with the number of their person', async () => {
  const ended = await importFile();
  await eraseNumber(database(), fixture().sealer, { number: '6281234567890', accountId: ended.accountId });
  expect((await read(ended)).find(({ row }) => row === 4)).toMatchObject({ phone: null, value: '', cells: null });
});
