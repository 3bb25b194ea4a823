/**
 * Moves recipients back into the list, who are to get another message: a part in each step, so that no step takes long.
 * Nothing is released before all of them are moved. The number of those left stands in the row of the broadcast.
 */
import type pg from 'pg';
import type { LockedBroadcast } from '../state/broadcast-state.js';
import { requireAll } from './require-all.js';

const movedAtOnce = 2_000;

/** A message of the new round may fail too. It was made after the call. */
const statement = `
  WITH again AS MATERIALIZED (
    SELECT r.position, r.recipient, m.id AS message_id FROM messages m
    JOIN broadcast_recipients r ON r.broadcast_id = m.broadcast_id AND r.recipient = m.recipient AND r.message_id = m.id
    WHERE m.broadcast_id = $1 AND m.status = $2 AND m.created_at < $3 AND r.state = 2 LIMIT $4),
  replaced AS (UPDATE messages SET broadcast_id = NULL WHERE id IN (SELECT message_id FROM again)),
  moved AS (
    UPDATE broadcast_recipients r SET state = 0, round = r.round + 1, message_id = NULL
    FROM again WHERE r.broadcast_id = $1 AND r.position = again.position AND r.recipient = again.recipient RETURNING 1)
  SELECT (SELECT count(*)::int FROM again) AS found, (SELECT count(*)::int FROM moved) AS moved`;

/** Those whose message ended so are to get another one. The earlier message no longer counts for the broadcast. */
async function move(client: pg.PoolClient, { id, roundAt }: LockedBroadcast, status: string, left: number) {
  const asked = Math.min(left, movedAtOnce);
  const { rows } = await client.query<{ found: number; moved: number }>({
    name: 'move-again',
    text: statement,
    values: [id, status, roundAt, asked],
  });
  const [{ found, moved } = { found: 0, moved: 0 }] = rows;
  requireAll(moved, found);
  await client.query({
    name: `note-again-${status}`,
    text: `UPDATE broadcasts SET again_${status} = $2 WHERE id = $1`,
    // An outcome may have changed since the call. Then fewer are found.
    values: [id, moved < asked ? 0 : left - moved],
  });
}

/** Returns true if there were any. */
export async function moveAgain(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<boolean> {
  const { againFailed, againUnknown } = broadcast;
  if (againFailed > 0) await move(client, broadcast, 'failed', againFailed);
  else if (againUnknown > 0) await move(client, broadcast, 'unknown', againUnknown);
  return againFailed + againUnknown > 0;
}
