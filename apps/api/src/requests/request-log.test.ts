import { type AccountId, type ApiKeyId, limits, newId } from '@kurir/contracts';
import type { StoredRequest } from '@kurir/database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RequestTrace } from '../http/request-trace.js';
import { createRequestLog, type RequestLog } from './request-log.js';

// The branded ids of keys and accounts.
const keyId = 'kk_live_1' as ApiKeyId;
const accountId = 'acc_1' as AccountId;

let log: RequestLog;
let written: StoredRequest[];
let lost: { count: number; error: unknown }[];
let known: Set<string>;
let write: (requests: readonly StoredRequest[]) => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00.000Z') });
  [written, lost, known] = [[], [], new Set([keyId])];
  write = (requests) => Promise.resolve(void written.push(...requests));
  log = createRequestLog({
    everyMs: 1_000,
    write: (requests) => write(requests),
    readKey: (id) => Promise.resolve(known.has(id) ? { id: id as ApiKeyId, accountId } : null),
    onLost: (count, error) => lost.push({ count, error }),
    now: () => Date.now(),
  });
});
afterEach(() => vi.useRealTimers());

const traceOf = (changed: Partial<RequestTrace> = {}): RequestTrace => ({
  id: newId('req'),
  startedAt: 0,
  span: null,
  route: '/api/v1/messages/send',
  operation: 'sendMessage',
  isStream: false,
  isPerson: false,
  accountId,
  keyId,
  deviceId: null,
  jobId: null,
  claimedKeyId: keyId,
  address: '::ffff:203.0.113.7',
  code: null,
  ...changed,
});

/** A request that does not prove its key. */
const unsigned = (claimedKeyId: string = keyId) =>
  traceOf({ accountId: null, keyId: null, claimedKeyId, code: 'INVALID_SIGNATURE' });

const note = (trace = traceOf(), status: number | null = 200) => log.note(trace, { status, durationMs: 12.6 });
const noteMany = (count: number, make: () => RequestTrace = traceOf, status = 200) => {
  for (let i = 0; i < count; i++) note(make(), status);
};
const flush = () => vi.advanceTimersByTimeAsync(1_000);
const nextMinute = () => vi.advanceTimersByTimeAsync(60_000);
const recorded = () => written.filter(({ notRecorded }) => notRecorded === 0);

test('a request becomes a row within a second, with operation, time, status and address', async () => {
  const trace = traceOf();
  note(trace);
  expect(written).toEqual([]);
  await flush();
  expect(written).toEqual([
    {
      id: trace.id,
      at: new Date('2026-11-21T08:59:59.987Z'),
      accountId,
      keyId,
      operation: 'sendMessage',
      status: 200,
      code: null,
      durationMs: 13,
      address: '203.0.113.7',
      notRecorded: 0,
    },
  ]);
});

test('people, requests without a key and requests of no operation leave no row', async () => {
  note(traceOf({ isPerson: true, keyId: null, claimedKeyId: null }));
  note(traceOf({ operation: null }));
  await flush();
  expect(written).toEqual([]);
});

test('a flood leaves a limited number of rows, and one that counts the rest', async () => {
  noteMany(10_000);
  await nextMinute();
  expect(recorded()).toHaveLength(limits.requestLogPerMinute);
  expect(written.filter(({ notRecorded }) => notRecorded > 0)).toMatchObject([
    { keyId, operation: null, notRecorded: 10_000 - limits.requestLogPerMinute },
  ]);
  note();
  await flush();
  expect(recorded()).toHaveLength(limits.requestLogPerMinute + 1);
});

test('refusals have rows of their own beside a flood of successes', async () => {
  noteMany(10_000);
  note(traceOf({ code: 'INVALID_REQUEST' }), 422);
  note(traceOf(), null);
  await flush();
  expect(written.filter(({ status }) => status !== 200)).toMatchObject([
    { status: 422, code: 'INVALID_REQUEST' },
    { status: null },
  ]);
});

test('whoever only knows the id of a key leaves few rows, and crowds out none of its own', async () => {
  for (let i = 0; i < 100; i++) {
    noteMany(1_000, unsigned, 401);
    await vi.advanceTimersByTimeAsync(100);
  }
  note();
  await flush();
  expect(recorded().filter(({ status }) => status === 401)).toHaveLength(limits.requestLogUnsignedPerMinute);
  expect(recorded().filter(({ status }) => status === 200)).toHaveLength(1);
});

test('the id of a key that does not exist leaves no row', async () => {
  noteMany(10, () => unsigned('kk_live_unknown'), 401);
  await flush();
  expect(written).toEqual([]);
});

test('the keys of an account together leave a limited number of rows', async () => {
  for (let i = 0; i < 20; i++) noteMany(100, () => traceOf({ keyId: `kk_live_${i}` as ApiKeyId }));
  await flush();
  expect(recorded()).toHaveLength(limits.requestLogAccountPerMinute);
  note(traceOf({ accountId: 'acc_2', keyId: 'kk_live_x' }));
  await flush();
  expect(recorded()).toHaveLength(limits.requestLogAccountPerMinute + 1);
});

test('strangers who know all keys of an account crowd out none of its own requests', async () => {
  known = new Set(Array.from({ length: 20 }, (_none, i) => `kk_live_${i}`));
  for (const id of known) noteMany(10, () => unsigned(id), 401);
  await flush();
  noteMany(limits.requestLogPerMinute);
  await flush();
  expect(recorded().filter(({ status }) => status === 401)).toHaveLength(limits.requestLogAccountUnsignedPerMinute);
  expect(recorded().filter(({ status }) => status === 200)).toHaveLength(limits.requestLogPerMinute);
});

test('a write that fails loses its rows, says how many, and the next one goes on', async () => {
  const broken = new Error('no database');
  write = () => Promise.reject(broken);
  noteMany(3);
  await flush();
  expect(lost).toEqual([{ count: 3, error: broken }]);
  write = (requests) => Promise.resolve(void written.push(...requests));
  note();
  await flush();
  expect([written.length, lost.length]).toEqual([1, 1]);
});

test('while a write hangs, rows wait up to a limit, and no second write begins', async () => {
  let end = () => {};
  let writes = 0;
  write = () => {
    writes += 1;
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  note();
  await flush();
  for (let i = 0; i < 8_000; i++)
    note(traceOf({ accountId: `acc_${i}` as AccountId, keyId: `kk_live_${i}` as ApiKeyId }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(writes).toBe(1);
  end();
  await flush();
  expect(writes).toBe(2);
  end();
  await vi.advanceTimersByTimeAsync(1);
  expect(lost).toEqual([{ count: 3_000, error: undefined }]);
});

test('closing writes what waits', async () => {
  note();
  await log.close();
  expect(written).toHaveLength(1);
});
