/**
 * One step of a broadcast. Every worker takes such steps of every broadcast, and the lock of the row lets one of them work.
 * So nothing is handed over when a worker dies: its transaction ends, and another worker takes the next step. All that a step
 * knows stands in Postgres.
 */
import type { BroadcastId } from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys } from '../../accounts/account-keys.js';
import { moveColumns, moveOnce } from '../../messages/write-status.js';
import { type Database, inTransaction } from '../../postgres/connect.js';
import { type LockedBroadcast, lockToDrive, lookAgainAt, moveBroadcast } from '../state/broadcast-state.js';
import { freeShares, readSenders } from './broadcast-devices.js';
import { hasPendingIn, nextOpening, openZones } from './broadcast-hours.js';
import { findTripped } from './guards.js';
import { held, holdRemoved, holdWaiting } from '../state/hold-messages.js';
import { moveAgain } from './move-again.js';
import { releaseWindow } from './release-messages.js';
import { giveBackQuota, keepReservation } from '../state/reserve-quota.js';

/** Over `broadcasts b` that somebody must resume: a message may come back from its try, and must be held too. */
const hasUnheld = `EXISTS (SELECT FROM messages m WHERE m.broadcast_id = b.id AND (m.status = 'sending'
  OR (m.status = 'queued' AND m.unanswered = 0 AND m.waits_until IS DISTINCT FROM ${held})))`;

/** The broadcasts that need steps. */
export async function readDriven({ pool }: Database): Promise<BroadcastId[]> {
  const { rows } = await pool.query<{ id: BroadcastId }>({
    name: 'read-driven-broadcasts',
    text: `SELECT b.id FROM broadcasts b WHERE b.ended_at IS NULL AND b.state IN ('scheduled', 'running', 'paused', 'cancelled')
             AND (b.state <> 'scheduled' OR b.send_at IS NULL OR b.send_at <= now())
             AND (b.looks_again_at IS NULL OR b.looks_again_at <= now())
             AND (b.paused_by IS NULL OR b.paused_by NOT IN ('user', 'guard') OR ${hasUnheld}) ORDER BY b.id`,
  });
  return rows.map(({ id }) => id);
}

const endedAtOnce = 2_000;

/** A message with an unanswered try may have gone out. */
const endColumns = moveColumns({
  id: 'm.id',
  to: `CASE WHEN m.unanswered > 0 THEN 'unknown' ELSE 'cancelled' END`,
  reason: `CASE WHEN m.unanswered > 0 THEN 'no_answer' END`,
});

/** Ends what a cancelled broadcast left. Returns true if more is left. */
async function endRest(client: pg.PoolClient, { id }: LockedBroadcast): Promise<boolean> {
  const moved = await moveOnce(
    client,
    'cancel-broadcast-messages',
    `SELECT ${endColumns} FROM (
       SELECT id, unanswered FROM messages WHERE broadcast_id = $1 AND status = 'queued' AND stage = 0
       ORDER BY id LIMIT ${endedAtOnce} FOR NO KEY UPDATE) m`,
    [id],
  );
  const { rowCount } = await client.query({
    name: 'skip-cancelled-recipients',
    text: `UPDATE broadcast_recipients SET state = 1, skip_reason = 'cancelled', key_number = NULL, sealed = NULL
           WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM broadcast_recipients WHERE broadcast_id = $1 AND state = 0 LIMIT ${endedAtOnce}))`,
    values: [id],
  });
  if (moved.length > 0 || (rowCount ?? 0) > 0) return true;
  if (!(await isOpen(client, id)))
    await client.query({
      name: 'end-broadcast',
      text: 'UPDATE broadcasts SET ended_at = now() WHERE id = $1',
      values: [id],
    });
  return false;
}

/** Some message of the broadcast may still change its outcome by itself. */
async function isOpen(client: pg.PoolClient, id: BroadcastId): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'find-open-broadcast-message',
    text: `SELECT 1 FROM messages WHERE broadcast_id = $1 AND status IN ('queued', 'sending') LIMIT 1`,
    values: [id],
  });
  return rowCount === 1;
}

async function hasPending(client: pg.PoolClient, id: BroadcastId): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'find-pending-recipient',
    text: 'SELECT 1 FROM broadcast_recipients WHERE broadcast_id = $1 AND state = 0 LIMIT 1',
    values: [id],
  });
  return rowCount === 1;
}

/** Finishes it if each recipient has an outcome. */
async function finish(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<void> {
  if (await isOpen(client, broadcast.id)) return;
  await giveBackQuota(client, broadcast);
  await moveBroadcast(client, broadcast.id, { from: ['running'], to: 'finished' });
}

/** True if the reason of the pause is gone. */
async function mayGoOnAfter(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<boolean> {
  switch (broadcast.pausedBy) {
    case 'no_device':
      return (await readSenders(client, broadcast)).length > 0;
    case 'quota':
      return (await keepReservation(client, broadcast)) !== null;
    case 'window':
      return !(await isClosed(client, broadcast));
    default:
      return false;
  }
}

/** Recipients are left, and it is night where they may live. */
const isClosed = async (client: pg.PoolClient, broadcast: LockedBroadcast): Promise<boolean> =>
  !(await hasPendingIn(client, broadcast, openZones(broadcast, new Date()))) &&
  (await hasPending(client, broadcast.id));

/** A country or a clock may change meanwhile. */
const longestNightMs = 10 * 60_000;
const quotaEveryMs = 10_000;

/** Looking costs much for a long list. New devices may come at any time, and to look for them costs little. */
async function lookLater(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<void> {
  const { id, pausedBy } = broadcast;
  const now = Date.now();
  if (pausedBy === 'quota') await lookAgainAt(client, id, new Date(now + quotaEveryMs));
  if (pausedBy !== 'window') return;
  const opensMs = nextOpening(broadcast, new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY;
  await lookAgainAt(client, id, new Date(Math.min(opensMs, now + longestNightMs)));
}

/** A message that was being sent when somebody paused may come back from its try. */
async function stepPaused(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<boolean> {
  const { id, pausedBy } = broadcast;
  if (pausedBy === 'user' || pausedBy === 'guard') {
    await holdWaiting(client, id);
    return false;
  }
  if (await holdRemoved(client, broadcast)) await freeShares(client, broadcast, await readSenders(client, broadcast));
  const mayGoOn = await mayGoOnAfter(client, broadcast);
  if (mayGoOn) await moveBroadcast(client, id, { from: ['paused'], to: 'running' });
  else await lookLater(client, broadcast);
  return mayGoOn;
}

async function stepRunning(
  client: pg.PoolClient,
  accountKeys: AccountKeys,
  broadcast: LockedBroadcast,
): Promise<boolean> {
  const { id } = broadcast;
  if (await moveAgain(client, broadcast)) return true;
  const tripped = await findTripped(client, broadcast);
  if (tripped !== null) {
    await moveBroadcast(client, id, { from: ['running'], to: 'paused', pausedBy: 'guard', tripped });
    await holdWaiting(client, id);
    return false;
  }
  const senders = await readSenders(client, broadcast);
  const isDividing = await freeShares(client, broadcast, senders);
  const isPending = await hasPending(client, id);
  if (senders.length === 0 && (isPending || (await isOpen(client, id)))) {
    await moveBroadcast(client, id, { from: ['running'], to: 'paused', pausedBy: 'no_device' });
    await holdRemoved(client, broadcast);
    return false;
  }
  if (!isPending) {
    await finish(client, broadcast);
    return false;
  }
  const released = await releaseWindow(client, accountKeys, broadcast, senders);
  if (typeof released === 'number') return isDividing || released > 0;
  await moveBroadcast(client, id, { from: ['running'], to: 'paused', pausedBy: released });
  return false;
}

function step(client: pg.PoolClient, accountKeys: AccountKeys, broadcast: LockedBroadcast): Promise<boolean> | boolean {
  const { id, sendAt } = broadcast;
  switch (broadcast.state) {
    case 'running':
      return stepRunning(client, accountKeys, broadcast);
    case 'paused':
      return stepPaused(client, broadcast);
    case 'cancelled':
      return endRest(client, broadcast);
    case 'scheduled':
      return (
        (sendAt?.getTime() ?? 0) <= Date.now() && moveBroadcast(client, id, { from: ['scheduled'], to: 'running' })
      );
    default:
      return false;
  }
}

/** Returns true if another step makes sense at once. */
export const driveBroadcast = (database: Database, accountKeys: AccountKeys, id: BroadcastId): Promise<boolean> =>
  inTransaction(database.pool, async (client) => {
    const broadcast = await lockToDrive(client, id);
    return broadcast !== null && (await step(client, accountKeys, broadcast));
  });
