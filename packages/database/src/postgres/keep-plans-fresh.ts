/**
 * Keeps query plans good while tables grow. A connection plans a statement once (`connect.ts`), for the present sizes
 * of its tables. A plan for a nearly empty table reads the whole table. It would do so for each message of the first
 * broadcast, until Postgres analyzes the table by itself. So this analyzes each table that has doubled. Postgres then
 * makes new plans for all connections of all processes.
 */
import type { Database } from './connect.js';

/** The tables of the statements that run with every message. */
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
/** A smaller table is fast to read as a whole. */
const smallBytes = 1_048_576;

export type PlanKeeper = {
  /** Looks now and returns the tables that it analyzed. Rejects if Postgres is away. */
  check(): Promise<string[]>;
  stop(): void;
};

export type PlanKeeperOptions = {
  /** Called when a look failed. The next look comes anyway. */
  readonly onError: (error: unknown) => void;
  /** Default one second. */
  readonly everyMs?: number;
};

type Size = { readonly name: string; readonly bytes: number };

/** Looks again and again, one look at a time, until `stop`. */
export function keepPlansFresh(
  { pool }: Database,
  { onError, everyMs = usuallyEveryMs }: PlanKeeperOptions,
): PlanKeeper {
  /** The size of each table at its last analysis, or at the first look. */
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
    // A table that was emptied may double again.
    for (const { name, bytes } of sizes) known.set(name, Math.min(bytes, known.get(name) ?? bytes));
    if (doubled.length === 0) return [];
    const names = doubled.map(({ name }) => name);
    // If another process is analyzing a table now, that is enough.
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
