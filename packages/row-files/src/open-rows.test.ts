import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowFileError } from './file-problems.js';
import { type FileRow, openRows } from './open-rows.js';

async function* cut(bytes: Uint8Array, places: readonly number[] = []): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(from, place);
    from = place;
  }
}

async function* once(chunk: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < times; i++) yield chunk;
}

async function readChunks(chunks: AsyncIterable<Uint8Array>) {
  try {
    const file = await openRows(chunks);
    const rows: FileRow[] = [];
    try {
      for await (const list of file.rows) rows.push(...list);
      return { ...file, rows, problem: null };
    } catch (error) {
      if (!(error instanceof RowFileError)) throw error;
      return { ...file, rows, problem: `${error.problem} at ${error.row}` };
    }
  } catch (error) {
    if (!(error instanceof RowFileError)) throw error;
    return { problem: error.problem };
  }
}

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const utf16be = (text: string) => bytesOf(text, 'utf16le').swap16();
const read = (file: string | Uint8Array) => readChunks(cut(typeof file === 'string' ? bytesOf(file) : file));

const twoRows = {
  columns: ['HP', 'Nama'],
  rows: [
    { row: 2, values: ['0812', 'Budi'] },
    { row: 3, values: ['0813', 'Siti'] },
  ],
  problem: null,
};

describe('two rows are read', () => {
  const lines = ['HP,Nama', '0812,Budi', '0813,Siti'];
  test.each<[string, string | Uint8Array, object]>([
    ['with commas', lines.join('\n'), { separator: ',', encoding: 'utf-8' }],
    ['with semicolons', lines.join('\n').replaceAll(',', ';'), { separator: ';' }],
    ['with tabs', lines.join('\n').replaceAll(',', '\t'), { separator: '\t' }],
    ['with CRLF', lines.join('\r\n'), {}],
    ['with CR', lines.join('\r'), {}],
    ['with a line end at the end', `${lines.join('\r\n')}\r\n`, {}],
    ['with a BOM', `\ufeff${lines.join('\n')}`, {}],
    ['in UTF-16 LE', bytesOf(`\ufeff${lines.join('\r\n')}`, 'utf16le'), { encoding: 'utf-16le' }],
    ['in UTF-16 BE', utf16be(`\ufeff${lines.join('\r\n')}`), { encoding: 'utf-16be' }],
    ['in UTF-16 without a BOM', bytesOf(lines.join('\n'), 'utf16le'), { encoding: 'utf-16le' }],
    ['with quotes', '"HP","Nama"\n"0812","Budi"\n"0813","Siti"', {}],
    ['with too few and empty cells', 'HP,Nama\n0812,Budi,,\n0813,Siti', {}],
  ])('%s', async (_name, file, form) => expect(await read(file)).toMatchObject({ ...twoRows, ...form }));
});

test('a row has the number of the spreadsheet, with blank rows and cells of several lines', async () => {
  const file = await read('\r\nHP;Nama\r\n\r\n0812;"Budi\r\ndi ""Jakarta; Pusat"""\r\n\r\n0813;a"b\r\n');
  expect(file).toMatchObject({
    separator: ';',
    rows: [
      { row: 4, values: ['0812', 'Budi\r\ndi "Jakarta; Pusat"'] },
      { row: 6, values: ['0813', 'a"b'] },
    ],
  });
});

test('Latin letters of old spreadsheets are read', async () => {
  expect(await read(bytesOf('HP,Nama\n0812,André', 'latin1'))).toMatchObject({
    encoding: 'windows-1252',
    rows: [{ row: 2, values: ['0812', 'André'] }],
  });
});

test('a file without a header gets numbered columns', async () => {
  expect(await read('081234567890,Budi\n081234567891,Siti')).toMatchObject({
    columns: ['Column 1', 'Column 2'],
    rows: [{ row: 1, values: ['081234567890', 'Budi'] }, { row: 2 }],
  });
});

test('columns without a name, or with the same one, are told apart', async () => {
  expect(await read('HP,,Nama,Nama\n1,2,3,4')).toMatchObject({ columns: ['HP', 'Column 2', 'Nama', 'Nama (2)'] });
});

test('one column needs no separator', async () => {
  expect(await read('HP\n0812\n0813')).toMatchObject({
    separator: ',',
    columns: ['HP'],
    rows: [{ row: 2 }, { row: 3 }],
  });
});

test('commas in names do not hide the separator', async () => {
  expect(await read('Nama;HP\n"Budi, S.E.";0812\nSiti, M.M., Dr.;0813')).toMatchObject({ separator: ';' });
});

test('a row with more cells than the header is told, and the next one is read', async () => {
  expect(await read('HP,Nama\n0812,Budi, S.E.\n0813,Siti')).toMatchObject({
    rows: [{ row: 2, problem: 'extra_cells' }, twoRows.rows[1]],
  });
});

test('a file with only a header has no rows', async () => {
  expect(await read('HP,Nama\n')).toMatchObject({ columns: ['HP', 'Nama'], rows: [], problem: null });
});

test('NDJSON is read, and each bad line is told', async () => {
  const lines = [
    '{"HP":"0812","Nama":"Budi"}',
    '',
    '{"HP":6281234567890,"aktif":true,"Nama":null}',
    '[1]',
    '{"HP":{}}',
    'x',
  ];
  expect(await read(lines.join('\r\n'))).toMatchObject({
    form: 'ndjson',
    separator: null,
    columns: ['HP', 'Nama', 'aktif'],
    rows: [
      { row: 1, values: ['0812', 'Budi', ''] },
      { row: 3, values: ['6281234567890', '', 'true'] },
      { row: 4, problem: 'not_json' },
      { row: 5, problem: 'not_flat' },
      { row: 6, problem: 'not_json' },
    ],
  });
});

describe('files that are no tables', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'empty'],
    ['only a BOM', '\ufeff', 'empty'],
    ['blank lines', '\r\n \n', 'empty'],
    ['a workbook', Buffer.concat([bytesOf('PK\u0003\u0004'), Buffer.alloc(2_000, 7)]), 'workbook'],
    ['rubbish', Buffer.from(Array.from({ length: 5_000 }, (_none, i) => (i * 7_919) % 256)), 'not_text'],
    ['a hundred thousand columns', `${'a,'.repeat(100_000)}\n`, 'too_many_columns'],
  ])('%s', async (_name, file, problem) => expect(await read(file)).toEqual({ problem }));

  test('a line of 20 MB ends the reading, and the rows before it are read', async () => {
    async function* long() {
      yield bytesOf('HP,Nama\n0812,Budi\n0813,"');
      yield* once(Buffer.alloc(1024 * 1024, 'x'), 20);
    }
    expect(await readChunks(long())).toMatchObject({ rows: [twoRows.rows[0]], problem: 'row_too_long at 3' });
  });

  test('a long line of NDJSON too', async () => {
    async function* long() {
      yield bytesOf('{"HP":"0812"}\n{"HP":"');
      yield* once(Buffer.alloc(1024 * 1024, 'x'), 20);
    }
    expect(await readChunks(long())).toMatchObject({ rows: [{ row: 1 }], problem: 'row_too_long at 2' });
  });

  test('a quote that nobody closes', async () => {
    expect(await read('HP,Nama\n0812,Budi\n0813,"Siti\n0814,Tono')).toMatchObject({
      rows: [twoRows.rows[0]],
      problem: 'quote_not_closed at 3',
    });
  });
});

describe('however a file is cut, its rows are the same', () => {
  const cell = fc.array(fc.constantFrom(...'ab0é😀日"\r\n,;\t '), { maxLength: 8 }).map((letters) => letters.join(''));
  const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const table = fc.record({
    rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
    separator: fc.constantFrom(',', ';', '\t'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom('utf-8', 'bom', 'utf-16le', 'utf-16be'),
    filler: fc.constantFrom(0, 70_000),
  });
  const fileOf = (text: string, encoding: string) => {
    if (encoding === 'utf-16le') return bytesOf(`\ufeff${text}`, 'utf16le');
    if (encoding === 'utf-16be') return utf16be(`\ufeff${text}`);
    return bytesOf(encoding === 'bom' ? `\ufeff${text}` : text);
  };

  test('CSV', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        async (given, cuts) => {
          const { rows, separator, lineEnd, encoding, filler } = given;
          const body = rows.map((cells) => cells.map(quoted).join(separator)).join(lineEnd);
          const text = `HP${separator}Nama${separator}Kota${lineEnd}${'x'.repeat(filler)}${lineEnd}${body}`;
          const file = fileOf(text, encoding);
          const places = cuts.map((part) => Math.floor(part * file.length)).sort((a, b) => a - b);
          const { rows: whole, ...form } = (await readChunks(cut(file))) as { rows: FileRow[] };
          expect(await readChunks(cut(file, places))).toMatchObject({ ...form, rows: whole });
          const expected = rows
            .map((cells, i) => ({ cells, row: i + 3 }))
            .filter(({ cells }) => cells.length > 1 || cells[0] !== '')
            .map(({ cells, row }) =>
              (cells[3] ?? '').trim() === ''
                ? { row, values: [0, 1, 2].map((at) => cells[at] ?? '') }
                : { row, problem: 'extra_cells', cells },
            );
          expect(whole.slice(filler === 0 ? 0 : 1)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('at every single byte', async () => {
    const file = bytesOf('\ufeffHP;Nama\r\n0812;"Bu""di\r\n😀é"\r\n\r\n0813;日本\r\n');
    const { rows: whole } = (await readChunks(cut(file))) as { rows: FileRow[] };
    expect(whole).toHaveLength(2);
    for (let at = 0; at <= file.length; at++) expect(await readChunks(cut(file, [at]))).toMatchObject({ rows: whole });
    const single = Array.from({ length: file.length }, (_none, i) => i);
    expect(await readChunks(cut(file, single))).toMatchObject({ rows: whole });
  });

  test('NDJSON', async () => {
    const file = bytesOf('{"HP":"0812","Nama":"😀é"}\r\n{"HP":"0813","Nama":"日本"}\n');
    const { rows: whole } = (await readChunks(cut(file))) as { rows: FileRow[] };
    expect(whole).toHaveLength(2);
    for (let at = 0; at <= file.length; at++) expect(await readChunks(cut(file, [at]))).toMatchObject({ rows: whole });
  });
});
