/** Runs two statements that meet: the first holds its rows in an open transaction while the second runs. */
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '../src/postgres/connect.js';
import type { DatabaseFixture } from './database-fixture.js';

export type Work<Result> = (database: Database) => Promise<Result>;

export type Crossed<First, Second> = {
  readonly first: First;
  readonly second: Second;
  /** The second had to wait for the commit of the first. */
  readonly waited: boolean;
};

export type Crossing = <First, Second>(first: Work<First>, second: Work<Second>) => Promise<Crossed<First, Second>>;

/** Opens a connection that keeps its transaction open. Work that begins its own transaction would end it. */
export function useCrossing(fixture: () => DatabaseFixture): Crossing {
  let own: Database;
  beforeAll(() => {
    own = openDatabase({ url: fixture().url, poolSize: 1 });
  });
  afterAll(() => own.close());
  return async (first, second) => {
    const client = await own.pool.connect();
    try {
      await client.query('SET idle_in_transaction_session_timeout = 0; BEGIN');
      const query = client.query.bind(client);
      const connect = async () => ({ query, release: () => undefined });
      // The statements use nothing else of a pool.
      const pool = { query, connect } as unknown as Database['pool'];
      const firstResult = await first({ ...own, pool });
      let settled = false;
      const running = second(fixture().database).finally(() => {
        settled = true;
      });
      // The test handles the error where it awaits the result.
      running.catch(() => undefined);
      await waitUntil(async () => settled || (await fixture().waitsForLock()), {
        what: 'the second statement ends or waits',
        everyMs: 2,
      });
      const waited = !settled;
      await client.query('COMMIT');
      return { first: firstResult, second: await running, waited };
    } finally {
      client.release(true);
    }
  };
}
