import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bulkOf, copies, useDatabaseFixture } from '../../test/database-fixture.js';
import { createBulkAcceptor } from './accept-messages.js';

const fixture = useDatabaseFixture();

/**
 * Accepts `all` bulks at once, each of which takes `takesMs`. Returns how many ran at the same time, and the total
 * time.
 */
async function storeBulks(all: number, takesMs: number, quietMs: number): Promise<{ most: number; ms: number }> {
  const tenant = await fixture().tenant();
  const { database } = fixture();
  let [under, most] = [0, 0];
  // A bulk keeps one connection from start to end.
  const connect = async () => {
    most = Math.max(most, ++under);
    await sleep(takesMs);
    const client = await database.pool.connect();
    const query = client.query.bind(client);
    const release = (destroy?: boolean | Error) => {
      under--;
      client.release(destroy);
    };
    return { query, release };
  };
  // Accepting uses nothing else of a pool.
  const watched = { ...database, pool: { connect } as unknown as typeof database.pool };
  const bulks = createBulkAcceptor(watched, fixture().accountKeys, { quietMs: () => quietMs });
  const begunAt = performance.now();
  const stored = await Promise.all(Array.from({ length: all }, () => bulks.submit(bulkOf(tenant, copies(50)))));
  expect(stored.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(50 * all);
  return { most, ms: performance.now() - begunAt };
}

test('two bulks are stored at a time, whatever their number', async () => {
  expect((await storeBulks(6, 40, 1_000)).most).toBe(2);
});

test('while single sends are frequent, a bulk waits seven times as long as the one before it took', async () => {
  const { most, ms } = await storeBulks(4, 50, 999);
  expect(most).toBe(2);
  expect(ms).toBeGreaterThan(50 + 7 * 50 + 50 - 20);
});

test('a bulk never waits longer than a second', async () => {
  const { ms } = await storeBulks(4, 600, 999);
  expect(ms).toBeGreaterThan(600 + 1_000 + 600 - 20);
  expect(ms).toBeLessThan(600 + 7 * 600);
});
