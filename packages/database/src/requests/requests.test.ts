import { type AccountId, type ApiKeyId, limits, newId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { beginAccountErasure } from '../retention/erase-account.js';
import { keepDayPartitions } from './day-partitions.js';
import { listRequests, type RequestFilter } from './list-requests.js';
import { deleteRequestsOf, type StoredRequest, storeRequests } from './store-requests.js';

const fixture = useDatabaseFixture();
const dayMs = 86_400_000;

let accountId: AccountId;
let keyId: ApiKeyId;
beforeEach(async () => {
  ({ accountId, keyId } = await fixture().tenant());
});

let lastMs = Date.now();

/** Each request is a millisecond later than the one before, because ids of one millisecond have no order. */
const aRequest = (changed: Partial<StoredRequest> = {}): StoredRequest => ({
  id: newId('req', ++lastMs),
  at: new Date(),
  accountId,
  keyId,
  operation: 'sendMessage',
  status: 200,
  code: null,
  durationMs: 4,
  address: '203.0.113.7',
  notRecorded: 0,
  ...changed,
});

const store = (...requests: StoredRequest[]) => storeRequests(fixture().database, requests);
const everything: RequestFilter = { keyId: null, statusClass: null, operation: null, code: null, requestId: null };
const read = (
  filter: Partial<RequestFilter> = {},
  page: { limit: number; cursor: string | null } = { limit: 50, cursor: null },
) => listRequests(fixture().database, accountId, page, { ...everything, ...filter });
const idsOf = async (filter: Partial<RequestFilter>) => (await read(filter)).requests.map(({ id }) => id);

test('requests are found by key, status, operation, code and id, newest first', async () => {
  const good = aRequest();
  const refused = aRequest({ status: 422, code: 'INVALID_REQUEST', operation: 'sendBulk' });
  const failed = aRequest({ status: 500, code: 'INTERNAL_ERROR' });
  const gone = aRequest({ status: null, keyId: 'kk_live_other' });
  const counted = aRequest({ operation: null, status: null, durationMs: null, address: null, notRecorded: 9 });
  await store(good, refused, failed, gone, counted);
  expect(await idsOf({})).toEqual([counted, gone, failed, refused, good].map(({ id }) => id));
  expect(await idsOf({ statusClass: 2 })).toEqual([good.id]);
  expect(await idsOf({ statusClass: 4 })).toEqual([refused.id]);
  expect(await idsOf({ statusClass: 5 })).toEqual([failed.id]);
  expect(await idsOf({ statusClass: 0 })).toEqual([gone.id]);
  expect(await idsOf({ operation: 'sendBulk' })).toEqual([refused.id]);
  expect(await idsOf({ code: 'INTERNAL_ERROR' })).toEqual([failed.id]);
  expect(await idsOf({ keyId: 'kk_live_other' })).toEqual([gone.id]);
  expect(await idsOf({ requestId: good.id })).toEqual([good.id]);
  expect(await idsOf({ requestId: good.id, statusClass: 5 })).toEqual([]);
});

test('another account sees none of them', async () => {
  const request = aRequest();
  await store(request);
  const stranger = await fixture().tenant();
  const page = { limit: 50, cursor: null };
  const seen = await listRequests(fixture().database, stranger.accountId, page, {
    ...everything,
    requestId: request.id,
  });
  expect(seen.requests).toEqual([]);
});

test('a batch that is written twice is stored once', async () => {
  const request = aRequest();
  await store(request);
  await store(request);
  expect(await idsOf({})).toEqual([request.id]);
});

test('pages have each request once; a filter that fits few looks on page by page, and ends', async () => {
  await fixture().query(
    `INSERT INTO api_requests (id, at, account_id, key_id, operation, status)
     SELECT 'req_0' || lpad(n::text, 9, '0') || $1, now(), $1, $2, 'sendMessage', CASE WHEN n % 15000 = 1 THEN 422 ELSE 200 END
     FROM generate_series(1, 50000) n`,
    [accountId, keyId],
  );
  const pages: number[] = [];
  const found = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read({ statusClass: 4 }, { limit: 1, cursor });
    pages.push(page.requests.length);
    for (const { id } of page.requests) found.add(id);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(found.size).toBe(4);
  expect(pages.reduce((sum, one) => sum + one, 0)).toBe(4);
  const all = await read({}, { limit: 2, cursor: null });
  const next = await read({}, { limit: 2, cursor: all.nextCursor });
  expect(new Set([...all.requests, ...next.requests].map(({ id }) => id)).size).toBe(4);
});

test('a page reads few of many requests of the account and of others', async () => {
  await fixture().query(
    `INSERT INTO api_requests (id, at, account_id, key_id, operation, status)
     SELECT 'req_1' || lpad(n::text, 9, '0') || $1, now(), CASE WHEN n % 2 = 0 THEN $1 ELSE 'acc_other' END, $2, 'sendMessage', 200
     FROM generate_series(1, 60000) n`,
    [accountId, keyId],
  );
  await fixture().query('ANALYZE api_requests');
  const [row] = await fixture().query<{ 'QUERY PLAN': unknown }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
     SELECT * FROM api_requests WHERE account_id = '${accountId}' AND at > now() - interval '7 days' ORDER BY id DESC LIMIT 51`,
  );
  expect(JSON.stringify(row)).not.toContain('Seq Scan');
  const [plan] = JSON.parse(JSON.stringify(row?.['QUERY PLAN'])) as [{ Plan: { 'Shared Hit Blocks': number } }];
  expect(plan.Plan['Shared Hit Blocks']).toBeLessThan(200);
});

test('a request is in the partition of its day, and one of a day without a partition is stored too', async () => {
  const partitionOf = async ({ id }: StoredRequest) =>
    (
      await fixture().query<{ part: string }>(
        'SELECT tableoid::regclass::text AS part FROM api_requests WHERE id = $1',
        [id],
      )
    )[0]?.part;
  const [today, later] = [aRequest(), aRequest({ at: new Date(Date.now() + 30 * dayMs) })];
  await store(today, later);
  expect(await partitionOf(today)).toBe(`api_requests_${today.at.toISOString().slice(0, 10).replaceAll('-', '_')}`);
  expect(await partitionOf(later)).toBe('api_requests_default');
});

test('after its days a request is not shown, and its partition is dropped, by any number of workers', async () => {
  const request = aRequest();
  await store(request);
  const later = new Date(Date.now() + (limits.requestLogDays + 1) * dayMs);
  const dropped = await Promise.all([1, 2, 3].map(() => keepDayPartitions(fixture().database, later)));
  expect(
    dropped.flat().filter((part) => part.endsWith(request.at.toISOString().slice(0, 10).replaceAll('-', '_'))),
  ).toHaveLength(1);
  expect(await idsOf({})).toEqual([]);
  expect(await keepDayPartitions(fixture().database, later)).toEqual([]);
  // The days of the present have partitions again.
  await keepDayPartitions(fixture().database);
  const old = aRequest({ at: new Date(Date.now() - limits.requestLogDays * dayMs - 60_000) });
  await store(old, aRequest());
  expect(await idsOf({ requestId: old.id })).toEqual([]);
  expect(await idsOf({})).toHaveLength(1);
});

test('an erased account has no requests any more, and gets none that come late', async () => {
  await store(aRequest(), aRequest());
  await beginAccountErasure(fixture().database, accountId, { accountId, actor: 'admin', action: 'account.erased' });
  await store(aRequest());
  await deleteRequestsOf(fixture().database, accountId);
  expect(await fixture().query('SELECT 1 FROM api_requests WHERE account_id = $1', [accountId])).toEqual([]);
});
