import { operationsForPeople } from '@kurir/contracts/dashboard';
import { createAccountKeys, createSealer, eraseNumber } from '@kurir/database';
import { driveBroadcast } from '@kurir/database/broadcasts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { waitUntil } from '@kurir/testing';
import { createBroadcast } from '../../test/broadcast-error-cases.js';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { signUpAs } from '../../test/person.js';
import { call, signedHeaders } from '../../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
beforeEach(async () => {
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const download = (broadcastId: string, query = '', as = customer, signal?: AbortSignal) => {
  const target = `/api/v1/broadcasts/${broadcastId}/results.csv${query}`;
  return fetch(t.url + target, {
    headers: signedHeaders({ method: 'GET', target, key: as.key }),
    ...(signal === undefined ? {} : { signal }),
  });
};

/** A broadcast whose messages wait in the lane of the device. */
async function released(rows: readonly object[]): Promise<string> {
  const body = {
    name: 'Promo',
    message: 'Halo',
    category: 'transactional',
    device_ids: [customer.deviceId],
    audience: { rows },
  };
  const made = await call(t.url, customer, 'createBroadcast', { body });
  const broadcastId = String(made.body.data['broadcast_id']);
  await call(t.url, customer, 'checkBroadcast', { broadcastId });
  await call(t.url, customer, 'startBroadcast', { broadcastId, body: {} });
  const accountKeys = createAccountKeys(t.database, createSealer(masterKey));
  while (await driveBroadcast(t.database, accountKeys, broadcastId as `brc_${string}`));
  return broadcastId;
}

test('each row of the list is a line with its outcome, and no cell begins a formula', async () => {
  const broadcastId = await released([
    { phone: '6281300000001' },
    { phone: '=1+1' },
    { phone: '6281300000001' },
    { phone: '6281300000002' },
  ]);
  const planned = await createBroadcast(t, customer, 3);
  await eraseNumber(t.database, createSealer(masterKey), { number: '6281300000002', accountId: null });
  const answer = await download(broadcastId);
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="kurir-broadcast-results.csv"');
  expect((await answer.text()).replaceAll(/msg_\w+/g, 'msg_1').split('\r\n')).toEqual([
    'position,phone,outcome,reason,job_id,device_id,sent_at,delivered_at,read_at',
    `1,6281300000001,queued,,msg_1,${customer.deviceId},,,`,
    "2,'=1+1,skipped,invalid_number,,,,,",
    '3,6281300000001,skipped,duplicate,,,,,',
    `4,,cancelled,,msg_1,${customer.deviceId},,,`,
    '',
  ]);
  expect((await (await download(planned)).text()).split('\r\n')[3]).toBe('3,,skipped,erased,,,,,');
});

test('a person gets names, and statuses in the own language, and a key gets no names of contacts', async () => {
  const broadcastId = await released([{ phone: '6281300000001' }, { phone: '=1+1' }, { phone: '6281300000002' }]);
  await call(t.url, customer, 'saveContact', { body: { phone: '+6281300000001', name: 'Ibu Siti' } });
  const person = await signUpAs(t.url, t.database, customer.accountId, 'viewer');
  const { path } = operationsForPeople.exportBroadcastResults;
  const answer = await person.browser.fetch('GET', `${path.replace('{broadcast_id}', broadcastId)}?language=id`);
  expect((await answer.text()).split('\r\n')).toEqual([
    'No,Nama,Nomor,Status,Alasan,Terkirim,Tersampaikan,Dibaca',
    '1,Ibu Siti,6281300000001,Masuk antrean,,,,',
    "2,,'=1+1,Tidak dikirimi,Nomor teleponnya tidak mungkin ada.,,,",
    '3,,6281300000002,Masuk antrean,,,,',
    '',
  ]);
  const byKey = (await (await download(broadcastId, '?language=en')).text()).split('\r\n');
  expect(byKey[1]).toBe('1,,6281300000001,Queued,,,,');
});

test('lines of JSON are those of the list', async () => {
  const broadcastId = await released([{ phone: '6281300000001' }, { phone: '0813' }]);
  const answer = await download(broadcastId, '?format=ndjson');
  expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = (await answer.text()).trimEnd().split('\n');
  const { recipients } = (await call(t.url, customer, 'listBroadcastRecipients', { broadcastId })).body.data;
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(recipients);
});

test('a broadcast without recipients has only a header', async () => {
  const broadcastId = await createBroadcast(t, customer, 0);
  expect(await (await download(broadcastId)).text()).toBe(
    'position,phone,outcome,reason,job_id,device_id,sent_at,delivered_at,read_at\r\n',
  );
  expect(await (await download(broadcastId, '?format=ndjson')).text()).toBe('');
});

test('who took the results away is in the audit log, and a stranger gets nothing', async () => {
  const broadcastId = await createBroadcast(t, customer, 1);
  const stranger = await createCustomer(t.database);
  expect(await (await download(broadcastId, '', stranger)).json()).toMatchObject({ code: 'BROADCAST_NOT_FOUND' });
  const key = await createKey(t.database, customer.accountId, { scopes: ['broadcasts:write'] });
  const denied = await download(broadcastId, '', { ...customer, key });
  expect(await denied.json()).toMatchObject({ code: 'KEY_NOT_ALLOWED' });
  await (await download(broadcastId)).text();
  const { rows } = await t.database.pool.query<{ actor: string; accountId: string }>(
    `SELECT actor, account_id AS "accountId" FROM audit_log WHERE action = 'broadcast.exported' AND account_id = ANY ($1)`,
    [[customer.accountId, stranger.accountId]],
  );
  expect(rows).toEqual([{ actor: customer.key.id, accountId: customer.accountId }]);
});

const many = 100_000;

/** Their lines are so long that no buffer between the api and a reader holds them all. */
async function createLong(): Promise<string> {
  const broadcastId = await createBroadcast(t, customer, 0);
  await t.database.pool.query(
    `INSERT INTO broadcast_recipients (broadcast_id, position, recipient, state, skip_reason)
     SELECT $1, n, repeat('9', 400), 1, 'invalid_number' FROM generate_series(1, ${many}) n`,
    [broadcastId],
  );
  return broadcastId;
}

/** How many pages the api has read when it reads no more. */
async function settled(reads: { readonly mock: { readonly calls: readonly unknown[] } }): Promise<number> {
  let before = -1;
  const isStill = () => {
    const now = reads.mock.calls.length;
    const same = now === before;
    before = now;
    return same;
  };
  await waitUntil(isStill, { what: 'the api reads no more', everyMs: 300 });
  return before;
}

test('a reader who stops keeps the rest of a long list in the database', async () => {
  const broadcastId = await createLong();
  const reads = vi.spyOn(t.database.lists, 'query');
  const reader = (await download(broadcastId)).body?.getReader();
  if (reader === undefined) throw new Error('no file');
  await reader.read();
  const readAhead = await settled(reads);
  let bytes = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) bytes += piece.value.length;
  const pages = reads.mock.calls.length;
  reads.mockRestore();
  expect(readAhead).toBeLessThan(pages / 2);
  expect(bytes).toBeGreaterThan(many * 200);
});

test('a long list comes whole and in order', async () => {
  const text = await (await download(await createLong())).text();
  const positions = text.trimEnd().split('\r\n').slice(1);
  expect(positions.map((line) => Number(line.split(',')[0]))).toEqual(Array.from({ length: many }, (_, i) => i + 1));
});

test('a reader who goes away ends the reading', async () => {
  const broadcastId = await createLong();
  const reads = vi.spyOn(t.database.lists, 'query');
  const gone = new AbortController();
  const answer = await download(broadcastId, '', customer, gone.signal);
  await answer.body?.getReader().read();
  gone.abort();
  const pages = await settled(reads);
  reads.mockRestore();
  expect(pages).toBeLessThan(many / 2_000 / 2);
});
