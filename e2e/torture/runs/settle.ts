/**
 * Waits until every message is final. After `settledWithinMs` it waits only while the number of unfinished messages
 * falls. So a slow machine is no failure, but a standstill is one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@kurir/database';

export type Unfinished = { readonly total: number; readonly unreported: number };

const settledWithinMs = 60_000;
const standstillMs = 20_000;
const everyMs = 500;
const tellEveryMs = 5_000;

/**
 * `total` counts messages with work left for the gateway. `unreported` counts messages that the network took and whose
 * last receipt is not stored. Scheduled messages count too, because they are due within seconds.
 */
export async function readUnfinished({ pool }: Database): Promise<Unfinished> {
  const { rows } = await pool.query<{ total: number; unreported: number }>(
    `SELECT count(*) FILTER (WHERE status IN ('queued', 'sending'))::int AS total,
            count(*) FILTER (WHERE status IN ('sent', 'delivered'))::int AS unreported
     FROM messages WHERE status IN ('queued', 'sending', 'sent', 'delivered')`,
  );
  return rows[0] ?? { total: 0, unreported: 0 };
}

/** Returns how many seconds it took. */
export async function settle(database: Database, tell: (left: Unfinished) => void): Promise<number> {
  const startedAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  let fewest = Number.POSITIVE_INFINITY;
  let progressAt = startedAt;
  for (;;) {
    const left = await readUnfinished(database);
    const now = performance.now();
    if (now - toldAt > tellEveryMs) {
      tell(left);
      toldAt = now;
    }
    const sum = left.total + left.unreported;
    if (sum < fewest) {
      fewest = sum;
      progressAt = now;
    }
    const isLate = now - startedAt > settledWithinMs && now - progressAt > standstillMs;
    if (sum === 0 || isLate) return (now - startedAt) / 1_000;
    await sleep(everyMs);
  }
}
