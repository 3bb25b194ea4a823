/** Measures how much Postgres writes: bytes of WAL, and rows according to the statistics of all tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@kurir/database';

/** A connection reports its rows at the latest when it has been idle for a little less than this time. */
const reportedAfterMs = 11_000;

type Counts = {
  readonly inserted: number;
  readonly updated: number;
  /** Updated rows that changed no index. */
  readonly hot: number;
  readonly deleted: number;
};

export type Writes = Counts & { readonly walBytes: number };

const none: Counts = { inserted: 0, updated: 0, hot: 0, deleted: 0 };

async function readCounts({ pool }: Database): Promise<Counts> {
  const { rows } = await pool.query<Counts>(
    `SELECT sum(n_tup_ins)::float8 AS inserted, sum(n_tup_upd)::float8 AS updated, sum(n_tup_hot_upd)::float8 AS hot,
            sum(n_tup_del)::float8 AS deleted FROM pg_stat_user_tables`,
  );
  return rows[0] ?? none;
}

async function readWalBytes({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
  );
  return rows[0]?.bytes ?? Number.NaN;
}

/**
 * Returns what Postgres writes during `work`. It takes longer than `work` by twice `reportedAfterMs`, because the
 * statistics are late.
 */
export async function meterWrites(database: Database, work: () => Promise<unknown>): Promise<Writes> {
  await sleep(reportedAfterMs);
  const [before, from] = [await readCounts(database), await readWalBytes(database)];
  await work();
  const to = await readWalBytes(database);
  await sleep(reportedAfterMs);
  const after = await readCounts(database);
  return {
    walBytes: to - from,
    inserted: after.inserted - before.inserted,
    updated: after.updated - before.updated,
    hot: after.hot - before.hot,
    deleted: after.deleted - before.deleted,
  };
}
