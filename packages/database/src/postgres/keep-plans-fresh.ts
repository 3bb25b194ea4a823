/**
 * A statement is planned once per connection (connect.ts), for the sizes that its tables have then. A plan that was made
 * over nearly nothing reads a whole table for each message once the first broadcast has come, until Postgres analyzes the
 * table by itself, a minute or more later. So a table that has doubled is analyzed at once: Postgres then plans anew
 * whatever reads it, on all connections of all processes. In all its life that is some thirty times.
 */
import type { Database } from './connect.js';

/** What the statements that run with every message join. */
const tables = [
  'messages',
  'message_contents',
  'events',
  'request_keys',
  'device_contacts',
  'device_pace',
  'devices',
  'device_leases',
  'subscription_periods',
];
const usuallyEveryMs = 1_000;
const grown = 2;
/** Below this a table is read as a whole in no time. */
const smallBytes = 1_048_576;

export type PlanKeeper = {
  /** Looks now, and returns the tables that it had analyzed. Rejects when Postgres is away. */
  check(): Promise<string[]>;
  stop(): void;
};

export type PlanKeeperOptions = {
  /** Told of a look that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
  /** Default a second. */
  readonly everyMs?: number;
};

type Size = { readonly name: string; readonly bytes: number };

/** Looks again and again, one look at a time, until it is stopped. */
export function keepPlansFresh(
  { pool }: Database,
  { onError, everyMs = usuallyEveryMs }: PlanKeeperOptions,
): PlanKeeper {
  /** Each table's size at its last analysis, or at the first look. */
  const known = new Map<string, number>();
  let stopped = false;
  let timer: NodeJS.Timeout;

  async function readSizes(): Promise<Size[]> {
    const { rows } = await pool.query<Size>({
      name: 'read-table-sizes',
      text: `SELECT name, coalesce(
               (SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(name::regclass)), pg_relation_size(name::regclass))::float8 AS bytes FROM unnest($1::text[]) AS t (name)`,
      values: [tables],
    });
    return rows;
  }

  async function check(): Promise<string[]> {
    const sizes = await readSizes();
    const doubled = sizes.filter(({ name, bytes }) => bytes > Math.max(smallBytes, grown * (known.get(name) ?? bytes)));
    // One that was emptied may double again.
    for (const { name, bytes } of sizes) known.set(name, Math.min(bytes, known.get(name) ?? bytes));
    if (doubled.length === 0) return [];
    const names = doubled.map(({ name }) => name);
    // Where another process analyzes one of them in this moment, that is enough.
    await pool.query(`ANALYZE (SKIP_LOCKED) ${names.join(', ')}`);
    for (const { name, bytes } of doubled) known.set(name, bytes);
    return names;
  }

  function lookLater(): void {
    if (stopped) return;
    timer = setTimeout(() => void check().catch(onError).finally(lookLater), everyMs).unref();
  }

  lookLater();
  return {
    check,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
