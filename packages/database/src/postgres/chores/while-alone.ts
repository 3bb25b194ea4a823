/**
 * Runs a chore in one process at a time. An open transaction holds the advisory lock, because a pooler in transaction
 * mode gives a connection to others after each transaction. The transaction has neither an id nor a snapshot, so it
 * holds back neither the log of events nor VACUUM. If the process dies, Postgres releases the lock.
 */
import { type Database, withConnection } from '../connect.js';

/** Longer than any chore. A process whose machine is gone loses the lock after this time. */
const heldAtMost = '15min';

/**
 * Returns null if another process holds the lock. `work` uses other connections. Its signal is aborted if the lock is
 * lost, and then the result is an error.
 */
export function whileAlone<T>(
  { pool }: Database,
  lock: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | null> {
  return withConnection(pool, async (client) => {
    const lost = new AbortController();
    const lose = () => lost.abort();
    client.once('error', lose);
    await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${heldAtMost}'`);
    try {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [lock]);
      return rows[0]?.mine === true ? await work(lost.signal) : null;
    } finally {
      await client.query('COMMIT');
      client.off('error', lose);
    }
  });
}
