/**
 * Step 9, status: the only code that changes a message's status. Every move is a compare-and-set against the
 * allowed moves of the contracts, and takes its event and its refund along in the same statement. A move that
 * is not allowed from where the message stands (a repeat, a late receipt, another owner's word) changes nothing.
 */
import { type MessageStatus, messageMoves, messageStatuses, refundedStatuses } from '@kurir/contracts';
import type pg from 'pg';
import { againAfterDeadlock } from './connect.js';

/** What `writeMoves` expects of its source: one row per message, with these columns. */
const sourceColumns = `id, to_status, reason, owner_epoch, hold_ms, onward, version`;

/** `from>to`, as one array to compare with: a join on the pairs would look every message up once per pair. */
const allowedMoves = messageStatuses.flatMap((from) => messageMoves[from].map((to) => `'${from}>${to}'`)).join(', ');

const quoted = (statuses: readonly MessageStatus[]) => statuses.map((status) => `'${status}'`).join(', ');

/**
 * - `owner_epoch` not null: only while the message is still `sending` under that epoch; that it did not go out only
 *   while the lease runs under it (the present owner's word). Null: nobody's try; such a move can never say of a
 *   message in `sending` that it did not go out.
 * - a permanent refusal or an expiry is the whole truth only where no earlier try went unanswered; else `unknown`.
 * - back to `queued` without a reason: it was claimed and not tried, so that was no attempt.
 * - what only a try can bring (`sent` and later) never moves a message that was never tried.
 * - `onward` not null: the moves that follow at once upon `to_status`, each one allowed after the one before, without
 *   reason and owner. All of them are recorded, the row is written once.
 * - `version` not null: only while nobody has written the row since (its `xmin`).
 */
const moveStatement = (source: string) => `
  WITH asked (${sourceColumns}) AS (${source}),
  moved AS (
    UPDATE messages m
    SET status = CASE WHEN a.onward IS NOT NULL THEN a.onward[cardinality(a.onward)]
                      WHEN a.to_status IN ('failed', 'expired') AND m.unanswered > 0 THEN 'unknown' ELSE a.to_status END,
        reason = CASE WHEN a.to_status = 'expired' AND m.unanswered > 0 THEN 'no_answer' ELSE a.reason END,
        attempts = m.attempts - CASE WHEN a.to_status = 'queued' AND a.reason IS NULL THEN 1 ELSE 0 END,
        unanswered = m.unanswered + CASE WHEN a.to_status = 'unknown' AND m.status = 'sending' THEN 1 ELSE 0 END,
        held_until = CASE WHEN a.hold_ms IS NULL THEN m.held_until ELSE now() + a.hold_ms * interval '1 millisecond' END,
        waits_until = CASE WHEN a.hold_ms > 0 THEN now() + a.hold_ms * interval '1 millisecond' ELSE m.waits_until END
    FROM asked a
    WHERE m.id = a.id AND m.status || '>' || a.to_status IN (${allowedMoves})
      AND (a.version IS NULL OR m.xmin = a.version)
      AND (a.owner_epoch IS NULL OR (m.status = 'sending' AND m.epoch = a.owner_epoch
           AND (a.to_status = 'unknown' OR EXISTS (SELECT 1 FROM device_leases l
                 WHERE l.device_id = m.device_id AND l.epoch = a.owner_epoch AND l.expires_at > now()))))
      AND (a.owner_epoch IS NOT NULL OR m.status <> 'sending' OR a.to_status IN (${quoted(['sent', 'delivered', 'read', 'unknown'])}))
      AND (m.attempts > 0 OR a.to_status IN (${quoted(['failed', 'expired', 'cancelled'])}))
      AND (a.to_status <> 'cancelled' OR m.unanswered = 0)
    RETURNING m.id, m.status, m.reason, m.period_id, m.network_message_id,
      CASE WHEN a.onward IS NULL THEN ARRAY[m.status] ELSE a.to_status || a.onward END AS passed),
  recorded AS (
    INSERT INTO message_events (message_id, status, reason)
    SELECT id, step.status, reason FROM moved, unnest(passed) WITH ORDINALITY AS step (status, n) ORDER BY step.n),
  owed AS (
    SELECT period_id, count(*)::int AS n FROM moved
    WHERE period_id IS NOT NULL AND status IN (${quoted(refundedStatuses)}) GROUP BY period_id),
  locked AS (
    SELECT p.id, owed.n FROM subscription_periods p JOIN owed ON owed.period_id = p.id
    ORDER BY p.account_id, p.ends_at, p.id FOR UPDATE OF p),
  refunded AS (
    UPDATE subscription_periods p SET taken_quota = p.taken_quota - locked.n FROM locked WHERE p.id = locked.id)
  SELECT id, status, network_message_id AS "networkMessageId" FROM moved`;

type Queryable = pg.Pool | pg.PoolClient;

export type Moved = { readonly id: string; readonly status: MessageStatus; readonly networkMessageId: string };

/**
 * Moves the messages that `source` (SQL yielding `sourceColumns`) names; answers those
 * that moved. `name` is the prepared statement's, one per source.
 */
export async function writeMoves(
  queryable: Queryable,
  name: string,
  source: string,
  values: readonly unknown[],
): Promise<Moved[]> {
  const statement = { name, text: moveStatement(source), values: [...values] };
  // Two sweeps may meet the same messages in different orders.
  const { rows } = await againAfterDeadlock(() => queryable.query<Moved>(statement));
  return rows;
}

export type Move = {
  readonly id: string;
  readonly to: MessageStatus;
  readonly reason?: string;
  readonly ownerEpoch?: bigint;
  /** For a move back to `queued`: not again before this many milliseconds. */
  readonly holdMs?: number;
  /** Only while the message is as it was when this was read of it. */
  readonly version?: string;
};

const listedMoves = `
  SELECT id, status, reason, epoch, hold_ms, NULL::text[], version
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::xid[]) AS t (id, status, reason, epoch, hold_ms, version)`;

/** One statement moves a row once, so several moves of one message go into rounds, in the order given. */
export function roundsOf<M>(moves: readonly M[], messageOf: (move: M) => string): M[][] {
  const rounds: M[][] = [];
  const seen = new Map<string, number>();
  for (const move of moves) {
    const message = messageOf(move);
    const round = seen.get(message) ?? 0;
    seen.set(message, round + 1);
    rounds[round] ??= [];
    rounds[round].push(move);
  }
  return rounds;
}

/** Moves listed messages; the order holds per message. Answers what moved (a message once per move). */
export async function moveMessages(queryable: Queryable, moves: readonly Move[]): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const round of roundsOf(moves, (move) => move.id)) {
    const rows = await writeMoves(queryable, 'move-listed', listedMoves, [
      round.map((move) => move.id),
      round.map((move) => move.to),
      round.map((move) => move.reason ?? null),
      round.map((move) => move.ownerEpoch ?? null),
      round.map((move) => (move.holdMs === undefined ? null : Math.ceil(move.holdMs))),
      round.map((move) => move.version ?? null),
    ]);
    moved.push(...rows);
  }
  return moved;
}
