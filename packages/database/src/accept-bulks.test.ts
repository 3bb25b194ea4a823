import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBulkAcceptor } from './accept-messages.js';
import { bulkOf, copies, useBench } from './testing/bench.js';

const bench = useBench();

test('bulks are stored two at a time, however many come', async () => {
  const tenant = await bench().tenant();
  const { database } = bench();
  let [under, most] = [0, 0];
  // A bulk has one connection from its beginning to its end.
  const connect = async () => {
    most = Math.max(most, ++under);
    await sleep(40);
    const client = await database.pool.connect();
    const query = client.query.bind(client);
    const release = (destroy?: boolean | Error) => {
      under--;
      client.release(destroy);
    };
    return { query, release };
  };
  // Accepting asks for nothing else of a pool.
  const watched = { ...database, pool: { connect } as unknown as typeof database.pool };
  const bulks = createBulkAcceptor(watched);
  const stored = await Promise.all(Array.from({ length: 6 }, () => bulks.submit(bulkOf(tenant, copies(50)))));
  expect(stored.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(300);
  expect(most).toBe(2);
});
