import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBulkAcceptor } from './accept-messages.js';
import { bulkOf, copies, useBench } from './testing/bench.js';

const bench = useBench();

/** Of each bulk at least; what a busy machine adds between two is small beside it. */
const usuallyMs = 40;

/** How many bulks were under way at the same time at most; and until the last began, for which part of the time any was. */
async function storeBulks(
  quietMs: number,
  { all = 6, takesMs = usuallyMs } = {},
): Promise<{ most: number; part: number }> {
  const tenant = await bench().tenant();
  const { database } = bench();
  let [begun, under, most, busyMs, startedAt, beganAt, part] = [0, 0, 0, 0, 0, 0, 0];
  // A bulk has one connection from its beginning to its end.
  const connect = async () => {
    const at = performance.now();
    if (begun === 0) startedAt = at;
    if (++begun === all) part = (busyMs + (under > 0 ? at - beganAt : 0)) / (at - startedAt);
    if (under++ === 0) beganAt = at;
    most = Math.max(most, under);
    await sleep(takesMs);
    const client = await database.pool.connect();
    const query = client.query.bind(client);
    const release = (destroy?: boolean | Error) => {
      if (--under === 0) busyMs += performance.now() - beganAt;
      client.release(destroy);
    };
    return { query, release };
  };
  // Accepting asks for nothing else of a pool.
  const watched = { ...database, pool: { connect } as unknown as typeof database.pool };
  const bulks = createBulkAcceptor(watched, { quietMs: () => quietMs });
  const stored = await Promise.all(Array.from({ length: all }, () => bulks.submit(bulkOf(tenant, copies(50)))));
  expect(stored.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(all * 50);
  return { most, part };
}

test('bulks are stored three at a time, and all the time, while nobody sends single messages', async () => {
  const { most, part } = await storeBulks(1_000);
  expect(most).toBe(3);
  expect(part).toBeGreaterThan(0.9);
});

test('while single sends come they are stored one at a time, with pauses three times as long', async () => {
  const { most, part } = await storeBulks(999);
  expect(most).toBe(1);
  expect(part).toBeLessThan(0.3);
});

test('one that took long keeps the next one waiting for half a second at most', async () => {
  const { part } = await storeBulks(999, { all: 2, takesMs: 1_500 });
  // 1.5 s of 2; of 6 without the bound.
  expect(part).toBeGreaterThan(0.4);
});
