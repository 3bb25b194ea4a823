/**
 * The moves of a broadcast between its states. Each move is a compare-and-set under the lock of its row, and writes its
 * event in the same statement. Planning and releasing hold the same lock. So a pause waits for the release that is being
 * committed, and no other one begins after it.
 */
import type { AccountId, BroadcastId, BroadcastState, DeviceId, PauseReason, SendWindow } from '@kurir/contracts';
import type pg from 'pg';
import type { Home, Zone } from '../../recipients/recipient-hours.js';

/** The guard that paused a broadcast. */
export type Tripped = { readonly what: 'failed' | 'opted_out'; readonly deviceId: DeviceId; readonly count: number };

export type BroadcastMove = {
  readonly from: readonly BroadcastState[];
  readonly to: BroadcastState;
  /** For `paused`. */
  readonly pausedBy?: PauseReason;
  /** For `paused` by a guard. */
  readonly tripped?: Tripped;
};

/** Returns false if the broadcast is in none of the states of `from`, or if nothing would change. */
export async function moveBroadcast(
  client: pg.PoolClient,
  id: BroadcastId,
  { from, to, pausedBy, tripped }: BroadcastMove,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'move-broadcast',
    text: `WITH moved AS (
             UPDATE broadcasts SET state = $3, paused_by = $4, tripped = $5, looks_again_at = NULL, changed_at = now(),
               event_count = event_count + 1,
               started_at = CASE WHEN $3 = 'running' THEN coalesce(started_at, now()) ELSE started_at END,
               ended_at = CASE WHEN $3 = 'finished' THEN now() END
             WHERE id = $1 AND state = ANY ($2::text[]) AND (state <> $3 OR paused_by IS DISTINCT FROM $4)
             RETURNING id, account_id, event_count)
           INSERT INTO events (account_id, generation, subject_id, sequence, kind, state, reason)
           SELECT account_id, (SELECT event_generation()), id, event_count, 'broadcast.state_changed', $3, $4 FROM moved`,
    values: [id, from, to, pausedBy ?? null, tripped === undefined ? null : JSON.stringify(tripped)],
  });
  return rowCount === 1;
}

/** For a broadcast that waits: it takes no step before `at`. */
export async function lookAgainAt(client: pg.PoolClient, id: BroadcastId, at: Date): Promise<void> {
  await client.query({
    name: 'look-again-at',
    text: 'UPDATE broadcasts SET looks_again_at = $2 WHERE id = $1',
    values: [id, at],
  });
}

/** Null: an unlimited period pays. */
export type Reserved = { readonly periodId: string | null; readonly count: number };

export type LockedBroadcast = {
  readonly id: BroadcastId;
  readonly accountId: AccountId;
  readonly category: number;
  readonly state: BroadcastState;
  readonly pausedBy: PauseReason | null;
  readonly keyNumber: number | null;
  readonly sealed: Buffer | null;
  readonly deviceIds: readonly string[];
  readonly pacePerMinute: number | null;
  /** Messages have been released for the time before this. */
  readonly pacedUntil: Date | null;
  readonly sendAt: Date | null;
  readonly recipients: number;
  /** Up to this position, it is known which of the devices knows a recipient. Null: for all. */
  readonly lookedUpTo: number | null;
  readonly roundAt: Date | null;
  /** So many recipients whose message failed, or has an unknown outcome, are still to get another one. */
  readonly againFailed: number;
  readonly againUnknown: number;
  /** The quota that is set aside for its next messages, in the order of use. */
  readonly reservations: readonly Reserved[];
  readonly createdBy: string;
  /** Minutes of the local day. Null: any hour. */
  readonly windowFrom: number | null;
  readonly windowTo: number | null;
  readonly windowZone: SendWindow['zone'] | null;
  readonly home: Home;
  /** The zones of its recipients. */
  readonly zones: readonly Zone[];
  /** Null: a person may get any number of marketing messages a day. */
  readonly maxPerDay: number | null;
  /** Percent. Null: this guard is off. */
  readonly guardFailed: number | null;
  readonly guardOptedOut: number | null;
  readonly guardSince: Date | null;
};

const lockedColumns = `id, account_id AS "accountId", category, state, paused_by AS "pausedBy", key_number AS "keyNumber", sealed,
  device_ids AS "deviceIds", pace_per_minute AS "pacePerMinute", paced_until AS "pacedUntil", send_at AS "sendAt", recipients, looked_up_to AS "lookedUpTo",
  round_at AS "roundAt", again_failed AS "againFailed", again_unknown AS "againUnknown", reservations, created_by AS "createdBy",
  window_from AS "windowFrom", window_to AS "windowTo", window_zone AS "windowZone", zones, max_per_day AS "maxPerDay",
  guard_failed AS "guardFailed", guard_opted_out AS "guardOptedOut", guard_since AS "guardSince",
  (SELECT jsonb_build_object('country', a.country, 'timeZone', a.time_zone) FROM accounts a
   WHERE a.id = broadcasts.account_id) AS home`;

type Whose = { readonly id: BroadcastId; readonly accountId: AccountId };

/** Waits for the lock. Null: the account has no such broadcast. */
export async function lockBroadcast(client: pg.PoolClient, { id, accountId }: Whose): Promise<LockedBroadcast | null> {
  const { rows } = await client.query<LockedBroadcast>({
    name: 'lock-broadcast',
    text: `SELECT ${lockedColumns} FROM broadcasts WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    values: [id, accountId],
  });
  return rows[0] ?? null;
}

/** Null: another worker has the lock, or nothing is left to do. */
export async function lockToDrive(client: pg.PoolClient, id: BroadcastId): Promise<LockedBroadcast | null> {
  const { rows } = await client.query<LockedBroadcast>({
    name: 'lock-broadcast-to-drive',
    text: `SELECT ${lockedColumns} FROM broadcasts WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
    values: [id],
  });
  return rows[0] ?? null;
}
