/**
 * A plan is made once per connection and statement (connect.ts), for tables of the size that they have then. One that
 * was made over nearly nothing reads a whole table for each message once the first broadcast has come, until Postgres
 * analyzes it, a minute or more later. So plans are thrown away whenever a table has doubled; in all its life that is
 * some thirty times.
 */
import type pg from 'pg';
import type { Database } from './connect.js';

/** What the statements that run with every message join. */
const tables = [
  'messages',
  'message_events',
  'request_keys',
  'device_contacts',
  'devices',
  'device_leases',
  'subscription_periods',
];
const usuallyEveryMs = 1_000;
const grown = 2;

export type PlanKeeper = {
  /** Looks now; connections plan anew from their next use on. Rejects when Postgres is away. */
  check(): Promise<void>;
  stop(): void;
};

export type PlanKeeperOptions = {
  /** Told of a look that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
  /** Default a second. */
  readonly everyMs?: number;
};

async function readSizes(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ bytes: number }>({
    name: 'read-table-sizes',
    text: `SELECT pg_relation_size(name::regclass)::float8 AS bytes
           FROM unnest($1::text[]) WITH ORDINALITY AS t (name, ordinal) ORDER BY ordinal`,
    values: [tables],
  });
  return rows.map((row) => row.bytes);
}

/** Looks again and again, one look at a time, until it is stopped. */
export function keepPlansFresh(
  { pool }: Database,
  { onError, everyMs = usuallyEveryMs }: PlanKeeperOptions,
): PlanKeeper {
  let round = 0;
  const roundOf = new WeakMap<pg.PoolClient, number>();
  let plannedFor: readonly number[] = tables.map(() => 0);
  let stopped = false;
  let timer: NodeJS.Timeout;

  const noteNew = (client: pg.PoolClient) => void roundOf.set(client, round);

  function planAnew(client: pg.PoolClient): void {
    if ((roundOf.get(client) ?? 0) === round) return;
    roundOf.set(client, round);
    // What was asked for next comes after it on the same connection, and fails for the same reason.
    client.query('DISCARD PLANS').catch(() => {});
  }

  async function check(): Promise<void> {
    const sizes = await readSizes(pool);
    if (sizes.some((size, i) => size > grown * (plannedFor[i] ?? 0))) {
      round++;
      plannedFor = sizes;
    } else plannedFor = sizes.map((size, i) => Math.min(size, plannedFor[i] ?? size));
  }

  function lookLater(): void {
    if (stopped) return;
    timer = setTimeout(() => void check().catch(onError).finally(lookLater), everyMs).unref();
  }

  lookLater();
  pool.on('connect', noteNew);
  pool.on('acquire', planAnew);
  return {
    check,
    stop() {
      stopped = true;
      clearTimeout(timer);
      pool.off('connect', noteNew);
      pool.off('acquire', planAnew);
    },
  };
}
