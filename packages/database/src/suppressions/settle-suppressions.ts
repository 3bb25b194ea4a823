/**
 * The sweep of suppressions. It ends the messages that an acceptance stored while it crossed a suppression. It also ends
 * those that come back from a try, and those beyond the first batch. A suppression is settled once nothing of its recipient
 * is open. Several workers may run it at once.
 */
import { writeMoves } from '../messages/write-status.js';
import type { Database } from '../postgres/connect.js';
import { concerns } from '../recipients/suppressed.js';
import { endedAtOnce, endWaiting } from './suppress.js';

const lookedAt = 500;
const settledAtOnce = 2_000;
/** Longer than any statement that stores messages. */
const crossingFor = `interval '60 seconds'`;

const unsettled = `SELECT s.account_id, s.recipient, s.scope FROM suppressions s WHERE s.settled_at IS NULL ORDER BY s.created_at LIMIT ${lookedAt}`;

/** Returns how many messages it ended. */
export async function settleSuppressions({ pool }: Database): Promise<number> {
  const ended = await writeMoves(
    pool,
    'end-unsettled',
    endWaiting(
      (waiting) => `(${unsettled}) s CROSS JOIN LATERAL (
        ${waiting} AND m.account_id = s.account_id AND m.recipient = s.recipient AND ${concerns}
        LIMIT ${endedAtOnce} FOR NO KEY UPDATE) m LIMIT ${endedAtOnce}`,
    ),
    [],
  );
  await pool.query({
    name: 'settle-suppressions',
    text: `UPDATE suppressions SET settled_at = now() WHERE ctid = ANY (ARRAY(
             SELECT s.ctid FROM suppressions s
             WHERE s.settled_at IS NULL AND s.created_at < now() - ${crossingFor} AND NOT EXISTS (
               SELECT FROM messages m WHERE m.account_id = s.account_id AND m.recipient = s.recipient AND m.stage < 2 AND ${concerns})
             LIMIT ${settledAtOnce})) AND settled_at IS NULL`,
  });
  return ended.length;
}
