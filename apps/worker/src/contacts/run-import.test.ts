/** Tests of one import: what becomes of the rows, and what stands when a worker dies at any point. */
import type { AccountId } from '@kurir/contracts';
import { beginAccountErasure, continueAccountErasure, type Database } from '@kurir/database';
import { cancelImport, type ImportView, saveContact } from '@kurir/database/contacts';
import { deleteUpload, readUpload } from '@kurir/database/uploads';
import { beforeEach, describe, expect, test } from 'vitest';
import { hookDatabase, type Point } from '../../test/hooked-database.js';
import { ImportFixture } from '../../test/import-fixture.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { type ImportRun, runImport } from './run-import.js';

const fixture = useWorkerFixture();
const database = () => fixture().database;
const imports = new ImportFixture(database);
let accountId: AccountId;
beforeEach(async () => {
  await database().pool.query(
    `UPDATE contact_imports SET state = 'cancelled', ended_at = now() WHERE ended_at IS NULL`,
  );
  accountId = await imports.account();
});

const never = new AbortController().signal;
const run = (taken: Pick<ImportRun, 'given' | 'owner'>, on: Database = database(), batchRows = 3) =>
  runImport({ database: on, accountKeys: fixture().accountKeys, signal: never, batchRows, ...taken });

async function importFile(file: Buffer | string, changed = {}, partBytes?: number): Promise<ImportView> {
  const begun = await imports.begin(accountId, file, changed, partBytes);
  await run(await imports.take(begun));
  return imports.read(begun);
}

describe('rows become contacts', () => {
  test('and each bad row is told with its number, its cell and a reason', async () => {
    const file = [
      'HP;Nama;Bahasa;Zona;Kota',
      '0812-3456-7890;Budi;id_ID;Asia/Jakarta;Bandung',
      '+62 812 3456 7891;;;;',
      '6.28123E+12;Siti;;;',
      '081234567890;Budi lagi;;;',
      ';Kosong;;;',
      '081234567892;Bad zone;;Jakarta;',
      '081234567893;Bad language;???;;',
      `081234567894;${'x'.repeat(201)};;;`,
      `081234567895;Long;;;${'y'.repeat(501)}`,
      '081234567896;a;b;c;d;e',
      '081234567892;Good zone;;Asia/Makassar;',
    ].join('\r\n');
    const mapping = { phone: 'HP', name: 'Nama', locale: 'Bahasa', timeZone: 'Zona', attributes: { kota: 'Kota' } };
    const ended = await importFile(`\ufeff${file}`, { mapping, consentSource: 'Form' });
    expect(ended).toMatchObject({
      state: 'done',
      rows: 11,
      added: 3,
      updated: 0,
      unchanged: 0,
      readBytes: ended.bytes,
    });
    expect(await imports.contacts(accountId)).toEqual({
      6281234567890: 'Budi id-ID Asia/Jakarta {"kota": "Bandung"} {promo} Form',
      6281234567891: '{promo} Form',
      6281234567892: 'Good zone Asia/Makassar {promo} Form',
    });
    expect(await imports.refusals(ended)).toEqual([
      '4 HP 6.28123E+12 ruined_by_excel',
      '5 6281234567890 duplicate_in_file',
      '6 HP  empty',
      '7 Zona Jakarta unknown_time_zone',
      '8 Bahasa ??? unknown_locale',
      `9 Nama ${'x'.repeat(100)} name_too_long`,
      `10 Kota ${'y'.repeat(100)} attribute_too_long`,
      '11  extra_cells',
    ]);
    expect(Object.values(ended.refused).reduce((sum, n) => sum + n, 0)).toBe(8);
    expect(await readUpload(database(), accountId, ended.uploadId)).toBeNull();
  });

  test('whose characters are cut at the border of a part', async () => {
    const file = Buffer.from(`HP,Nama\n081234567890,${'é😀'.repeat(20)}\n`);
    for (const partBytes of [1, 23, 24, 25]) {
      accountId = await imports.account();
      expect(await importFile(file, {}, partBytes)).toMatchObject({ added: 1 });
      expect(await imports.contacts(accountId)).toEqual({ 6281234567890: `${'é😀'.repeat(20)} {promo}` });
    }
  });

  test('and text that is not of the encoding is refused', async () => {
    const head = `HP,Nama\n${'081234567890,Budi\n'.repeat(5_000)}`;
    const ended = await importFile(
      Buffer.concat([Buffer.from(head), Buffer.from('081234567891,Andr\xe9\n', 'latin1')]),
    );
    expect(ended).toMatchObject({ added: 1, refused: { duplicate_in_file: 4_999, unreadable_text: 1 } });
  });

  test.each([
    ['update', 'Budi Baru {lama,promo}', { added: 1, updated: 1, unchanged: 0 }],
    ['keep', 'Budi {lama,promo}', { added: 1, updated: 1, unchanged: 0 }],
  ] as const)('and with %s, those that are there already', async (onExisting, text, counts) => {
    const change = { name: 'Budi', lists: ['lama'] };
    await saveContact(database(), accountId, { phone: '6281234567890', change });
    const file = 'HP,Nama\n081234567890,Budi Baru\n081234567891,\n';
    expect(await importFile(file, { onExisting })).toMatchObject(counts);
    expect(await imports.contacts(accountId)).toMatchObject({ 6281234567890: text });
    expect(await importFile(file, { onExisting })).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
  });

  test('unless they would have too many attributes', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 50 }, (_none, i) => [`k${i}`, 'v']));
    await saveContact(database(), accountId, { phone: '6281234567890', change: { attributes } });
    const mapping = { phone: 'HP', name: null, locale: null, timeZone: null, attributes: { kota: 'Kota' } };
    const ended = await importFile('HP,Kota\n081234567890,Bandung\n081234567891,Jakarta\n', { mapping });
    expect(ended).toMatchObject({ rows: 2, added: 1, updated: 0, refused: { too_many_attributes: 1 } });
  });
});

describe('an import fails, and keeps what it stored', () => {
  const rows = Array.from({ length: 7 }, (_none, i) => `08123456789${i},Budi ${i}`).join('\n');
  test.each([
    ['quotes that nobody closes', `HP,Nama\n${rows}\n081234567899,"Siti\n`, 'quote_not_closed', 9, 7],
    ['a row without end', `HP,Nama\n${rows}\n"${'x'.repeat(2_000_000)}`, 'row_too_long', 9, 7],
    ['rubbish', Buffer.from([0, 1, 2, 3]), 'not_text', null, 0],
    ['another header', 'Telepon,Nama\n081234567890,Budi', 'column_missing', null, 0],
  ])('because of %s', async (_name, file, problem, problemRow, added) => {
    expect(await importFile(file)).toMatchObject({ state: 'failed', problem, problemRow, added });
  });

  test('because its file is gone', async () => {
    const begun = await imports.begin(accountId, `HP,Nama\n${rows}\n`, {}, 60);
    await database().pool.query('DELETE FROM upload_parts WHERE upload_id = $1 AND number > 1', [begun.uploadId]);
    await run(await imports.take(begun));
    expect(await imports.read(begun)).toMatchObject({ state: 'failed', problem: 'upload_gone' });
    await deleteUpload(database(), begun.uploadId);
  });

  test('and a file with only a header is done', async () => {
    expect(await importFile('HP,Nama\n')).toMatchObject({ state: 'done', rows: 0 });
  });
});

/** Ten rows: eight numbers, one of them twice, and one that is no number. */
const tenRows = [
  'HP,Nama',
  ...[0, 1, 2, 3, 1, 4].map((n) => `08123456789${n},n${n}`),
  'x,y',
  '0812345678905,z',
  '081234567896,n6',
  '081234567897,n7',
].join('\n');

describe('a worker dies', () => {
  class Killed extends Error {}
  /** Throws when the point is passed for the `nth` time. */
  function killAt(at: Point, nth: number) {
    let passes = 0;
    return (point: Point) => {
      if (point === at && ++passes === nth) throw new Killed(at);
    };
  }

  const statements = [
    'read-upload-slice',
    'BEGIN',
    'lock-contact-import',
    'import-contacts',
    'store-refusals',
    'move-contact-import',
    'COMMIT',
    'end-contact-import',
  ];
  const points = statements.flatMap((name): Point[] => [`before ${name}`, `after ${name}`]);

  test('at any point, and the next one goes on; no row is lost and none counts twice', async () => {
    const whole = await importFile(tenRows);
    const expected = [await imports.contacts(accountId), await imports.refusals(whole)];
    let deaths = 0;
    for (const at of points)
      for (let nth = 1, died = true; died; nth++) {
        accountId = await imports.account();
        const begun = await imports.begin(accountId, tenRows, {}, 40);
        const first = await imports.take(begun);
        died = await run(first, hookDatabase(database(), killAt(at, nth))).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Killed) return true;
            throw error;
          },
        );
        deaths += died ? 1 : 0;
        await imports.expire(begun);
        if ((await imports.read(begun)).endedAt === null) await run(await imports.take(begun));
        const ended = await imports.read(begun);
        const { state, rows, added, updated, unchanged, refused } = whole;
        expect(ended, `${at} ${nth}`).toMatchObject({ state, rows, added, updated, unchanged, refused });
        expect([await imports.contacts(accountId), await imports.refusals(ended)], `${at} ${nth}`).toEqual(expected);
        await deleteUpload(database(), begun.uploadId);
      }
    expect(deaths).toBeGreaterThan(40);
  });
});

describe('between two batches', () => {
  /** Does `work` after the first batch. */
  async function runWith(begun: ImportView, work: () => Promise<unknown>) {
    let commits = 0;
    const hook = async (point: Point) => {
      if (point === 'after COMMIT' && ++commits === 1) await work();
    };
    return run(await imports.take(begun), hookDatabase(database(), hook));
  }

  test('another worker takes over, and the first one stores nothing more', async () => {
    const begun = await imports.begin(accountId, tenRows);
    const outcome = await runWith(begun, async () => {
      await imports.expire(begun);
      expect(await run(await imports.take(begun))).toBe('done');
    });
    expect(outcome).toBe('left');
    expect(await imports.read(begun)).toMatchObject({ state: 'done', rows: 10, added: 8 });
  });

  test('somebody cancels, and the rest of the file is not imported', async () => {
    const begun = await imports.begin(accountId, tenRows);
    expect(await runWith(begun, () => cancelImport(database(), accountId, begun.id))).toBe('left');
    expect(await imports.read(begun)).toMatchObject({ state: 'cancelled', rows: 3, added: 3 });
    expect(Object.keys(await imports.contacts(accountId))).toHaveLength(3);
  });

  test('the account is erased, and nothing of it stays', async () => {
    const begun = await imports.begin(accountId, tenRows);
    const audit = { accountId, actor: 'admin', action: 'account.erased' } as const;
    expect(await runWith(begun, () => beginAccountErasure(database(), accountId, audit))).toBe('left');
    expect(await continueAccountErasure(database(), accountId, { settlingMs: 0 })).toMatchObject({ done: true });
    for (const table of ['contacts', 'uploads', 'contact_imports'])
      expect(await fixture().query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [accountId]), table).toEqual([]);
  });
});
