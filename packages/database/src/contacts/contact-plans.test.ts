/** An import into many contacts, of which Postgres has no statistics yet, looks each number up by its index. */
import { newId } from '@kurir/contracts';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { aWish } from '../../test/audited-world-fixture.js';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { rowsReadBy, statementsOf } from '../../test/statements.js';
import { createUpload } from '../uploads/create-upload.js';
import { readUpload } from '../uploads/read-upload.js';
import { takeImport } from './imports/claim-import.js';
import { beginImport } from './imports/create-import.js';
import { listContacts } from './read-contacts.js';
import { storeBatch } from './imports/store-batch.js';

const fixture = useDatabaseFixture();
const many = 20_000;
const batchRows = 100;

type Node = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Node[] };

const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);

async function takeOne(owner: string) {
  const { database } = fixture();
  const { accountId } = await fixture().tenant();
  const uploadId = await createUpload(database, { accountId, fileName: null, bytes: 1 });
  const upload = uploadId === 'too-many' ? null : await readUpload(database, accountId, uploadId);
  if (upload === null) throw new Error('no upload');
  await beginImport(database, accountId, upload, aWish);
  const given = await takeImport(database, owner);
  if (given === null) throw new Error('no import');
  return given;
}

test('the search for full contacts reads few rows', async () => {
  // The statistics of a new table say that it is empty.
  await fixture().query('ANALYZE contacts');
  const owner = newId('wrk');
  const given = await takeOne(owner);
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone) SELECT 'con_' || $1 || n, $1, '62' || n FROM generate_series(1, $2::int) n`,
    [given.accountId, many],
  );
  const contacts = Array.from({ length: batchRows }, (_none, i) => ({
    row: i + 2,
    phone: `62${many - i}`,
    name: null,
    locale: null,
    timeZone: null,
    attributes: { kota: 'Bandung' },
  }));
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const batch = { contacts, refusals: [], lastRow: batchRows + 1, readBytes: 1 };
  const counts = await storeBatch(fixture(), { importId: given.id, owner }, given, given, batch);
  // The spy knows only the first signature of `query`.
  const calls = spy.mock.calls as unknown as [statement: { name?: string; text: string; values: unknown[] }][];
  spy.mockRestore();
  expect(counts).toMatchObject({ added: 0, updated: batchRows });
  const [asked] = calls.filter(([statement]) => statement.name === 'find-full-contacts');
  if (asked === undefined) throw new Error('nobody looked for full contacts');
  const [row] = await fixture().query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${asked[0].text}`,
    asked[0].values,
  );
  if (row === undefined) throw new Error('an EXPLAIN without a row');
  expect(rowsOf(row['QUERY PLAN'][0].Plan)).toBeLessThan(20 * batchRows);
});

test('a page of the list by name reads few rows, also further on', async () => {
  const tenant = await fixture().tenant();
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone, name)
     SELECT 'con_n' || n, $1, '6281' || n, CASE WHEN n % 10 > 0 THEN 'Name ' || n % 977 END FROM generate_series(1, $2::int) n`,
    [tenant.accountId, many],
  );
  await fixture().query('ANALYZE contacts');
  const page = { list: null, phone: null, attribute: null, locale: null, hasConsent: null, search: null };
  for (const cursor of [null, 'con_n51']) {
    const work = () => listContacts(fixture().database, tenant.accountId, { ...page, sort: 'name', limit: 30, cursor });
    const [statement] = await statementsOf(work);
    if (statement === undefined) throw new Error('nothing was asked');
    expect(await rowsReadBy(fixture().database, statement)).toBeLessThan(200);
  }
});
