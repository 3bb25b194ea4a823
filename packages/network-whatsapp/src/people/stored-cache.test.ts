import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoredCache } from './stored-cache.js';

const NOW = Date.UTC(2026, 10, 21);
const DAY = 24 * 3_600_000;

/** A device's rows, in memory. */
class Rows {
  readonly rows = new Map<string, Uint8Array>();
  reads = 0;

  async readOwnRow(kind: string, id: string): Promise<Uint8Array | undefined> {
    this.reads += 1;
    return this.rows.get(`${kind}/${id}`);
  }

  writeOwnRow(kind: string, id: string, value: Uint8Array | null): void {
    if (value === null) this.rows.delete(`${kind}/${id}`);
    else this.rows.set(`${kind}/${id}`, value);
  }
}

const open = (device: Rows) => new StoredCache<string[]>({ device, kind: 'devices', capacity: 2, maxAgeMs: DAY });

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a value is read from memory, and once from its row after a restart', async () => {
  const rows = new Rows();
  const cache = open(rows);
  cache.set('49', ['0', '1']);
  expect(await cache.get('49')).toEqual(['0', '1']);
  expect(rows.reads).toBe(0);
  const later = open(rows);
  expect(await later.get('49')).toEqual(['0', '1']);
  expect(await later.get('49')).toEqual(['0', '1']);
  expect(rows.reads).toBe(1);
});

test('the age of a value counts from when it was learned, also over restarts', async () => {
  const rows = new Rows();
  const cache = open(rows);
  cache.set('49', ['0']);
  vi.setSystemTime(NOW + DAY - 1);
  expect(await open(rows).get('49')).toEqual(['0']);
  vi.setSystemTime(NOW + DAY);
  expect(await open(rows).get('49')).toBeUndefined();
  expect(await cache.get('49')).toBeUndefined();
});

test('a value that is too old for get is still recalled, also after a restart', async () => {
  const rows = new Rows();
  open(rows).set('49', ['0']);
  vi.setSystemTime(NOW + DAY);
  const cache = open(rows);
  expect(await cache.recall('49')).toEqual(['0']);
  expect(await cache.get('49')).toBeUndefined();
});

test('an expired value is recalled until it is learned again', async () => {
  const rows = new Rows();
  const cache = open(rows);
  cache.set('49', ['0']);
  await cache.expire('49');
  for (const each of [cache, open(rows)]) {
    expect(await each.get('49')).toBeUndefined();
    expect(await each.recall('49')).toEqual(['0']);
  }
});

test('a revised value keeps its age, and the caller stores its row', async () => {
  const rows = new Rows();
  const cache = open(rows);
  cache.set('49', ['0']);
  vi.setSystemTime(NOW + 1);
  expect(await cache.revise('49', ['0', '1'])).toEqual({ value: ['0', '1'], learnedAt: NOW });
  expect(await cache.get('49')).toEqual(['0', '1']);
  expect(await open(rows).get('49')).toEqual(['0']);
});

test('a deleted value is deleted from its row, too', async () => {
  const rows = new Rows();
  const cache = open(rows);
  cache.set('49', ['0']);
  cache.del('49');
  expect(await cache.get('49')).toBeUndefined();
  expect(await open(rows).get('49')).toBeUndefined();
});

test('a row that cannot be read counts as absent', async () => {
  const rows = new Rows();
  for (const row of ['', 'no json', 'null', '{}', '[]']) {
    rows.rows.set('devices/49', Buffer.from(row));
    expect(await open(rows).get('49')).toBeUndefined();
  }
});
