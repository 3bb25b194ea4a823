import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { exampleImport, exampleUpload } from '../../../test/contact-examples.js';
import { type Gateway, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';
import { parseMapping } from './parse-mapping.js';

let clock = fakeClock();
let gateway: Gateway;
let folder: string;
beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
  folder = await mkdtemp(join(tmpdir(), 'kurir-import-'));
  await writeFile(join(folder, 'a.csv'), 'HP;Nama\n0812;Budi\n');
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const kurir = (...args: string[]) =>
  runHere(['contacts', 'import', ...args], environmentFor(gateway.baseUrl), { clock, folder });
const bodyOf = (operation: string) =>
  gateway.received.filter((request) => request.operation === operation).map(({ body }) => JSON.parse(body) as object);

it('sends the file in parts, imports it, waits for the end and tells the counts', async () => {
  gateway.answer({ createUpload: () => exampleUpload({ part_max_bytes: 10 }) });
  let asked = 0;
  gateway.answer({
    getContactImport: () => (++asked < 3 ? exampleImport({ state: 'running', ended_at: null }) : exampleImport()),
  });
  const { code, stdout } = await kurir(
    'a.csv',
    '--list',
    'promo',
    '--list',
    'vip',
    '--map',
    'phone=HP,name=Nama,kota_asal=Kota',
    '--consent',
    'Form',
  );
  expect([code, stdout]).toEqual([0, 'done  imp_1\n3 rows: 2 added, 1 updated, 0 unchanged, 0 refused\n']);
  expect(bodyOf('createUpload')).toEqual([{ bytes: 18, file_name: 'a.csv' }]);
  const parts = bodyOf('addUploadPart') as { number: number; data: string }[];
  expect(parts.map(({ number, data }) => [number, Buffer.from(data, 'base64').toString()])).toEqual([
    [1, 'HP;Nama\n08'],
    [2, '12;Budi\n'],
  ]);
  expect(bodyOf('createContactImport')).toEqual([
    {
      upload_id: 'upl_1',
      mapping: { phone: 'HP', name: 'Nama', attributes: { kota_asal: 'Kota' } },
      lists: ['promo', 'vip'],
      consent: { source: 'Form' },
      on_existing: 'update',
    },
  ]);
});

it('tells refused rows with advice, writes the report and exits with 1', async () => {
  const by = [{ code: 'ruined_by_excel', rows: 1, error: 'Format the column as text.' }];
  gateway.answer({ createContactImport: () => exampleImport({ refused: 1, refused_by_code: by }) });
  const { code, stdout } = await kurir('a.csv', '--map', 'phone=HP', '--report', 'refused.csv');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /1 ruined_by_excel: Format the column as text\.\n {2}row 2 {2}ruined_by_excel {2}6\.28E\+12\n$/,
  );
  expect(await readFile(join(folder, 'refused.csv'), 'utf8')).toBe('row,column\r\n2,HP\r\n');
});

it('prints the import as JSON', async () => {
  const { stdout } = await kurir('a.csv', '--map', 'phone=HP', '--json');
  expect(JSON.parse(stdout)).toEqual(exampleImport());
});

it('uses the guess of the gateway, and says so', async () => {
  const { stderr } = await kurir('a.csv', '--no-wait', '--keep');
  expect(stderr).toBe('phone: HP, name: Nama. Change it with --map.\n');
  expect(bodyOf('createContactImport')).toEqual([
    expect.objectContaining({ mapping: { phone: 'HP', name: 'Nama' }, on_existing: 'keep' }),
  ]);
});

it('tells why an import failed', async () => {
  const problem = { code: 'row_too_long', row: 7, error: 'A row is too long.' };
  gateway.answer({ createContactImport: () => exampleImport({ state: 'failed', problem }) });
  const { code, stdout } = await kurir('a.csv', '--map', 'phone=HP');
  expect([code, stdout.split('\n')[2]]).toEqual([1, 'row 7: A row is too long.']);
});

it.each([
  [['none.csv'], /none\.csv cannot be read/],
  [['a.csv', '--map', 'HP'], /field=column/],
  [['a.csv', '--map', 'name=Nama'], /phone=COLUMN/],
])('%j is wrong usage', async (args, message) => {
  expect(await kurir(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

it('reads columns with commas', () => {
  expect(parseMapping('phone=No, HP,kota=Kota')).toEqual({ phone: 'No, HP', attributes: { kota: 'Kota' } });
});
