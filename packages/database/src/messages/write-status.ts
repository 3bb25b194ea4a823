/**
 * Step 9, status: all moves of a message's status except those of the claim. Each move is a compare-and-set against the
 * allowed moves of the contracts. The same statement writes its event and its refund. A move that the present status
 * does not allow changes nothing, such as a repeat, a late receipt, or a refusal from an earlier owner.
 */
import { type MessageStatus, messageMoves, messageStatuses, refundedStatuses } from '@kurir/contracts';
import { metrics } from '@kurir/metrics';
import type pg from 'pg';
import { againAfterDeadlock } from '../postgres/connect.js';
import { inPeriodOrder } from './grant-quota.js';

/** SQL: the kind of a message's event, from the new status. */
export const kindOfStatus = (status: string): string =>
  `'message.' || CASE ${status} WHEN 'queued' THEN 'waiting' ELSE ${status} END`;

/** The columns that a source of `writeMoves` selects for each message, in this order, with their defaults. */
const moveColumnsOf = {
  id: ['id'],
  to: ['to_status'],
  reason: ['reason', 'NULL::text'],
  /** The epoch and the number of the try that caused the move. Null: no try caused it. */
  ownerEpoch: ['owner_epoch', 'NULL::bigint'],
  attempt: ['attempt', 'NULL::int'],
  holdMs: ['hold_ms', 'NULL::bigint'],
} as const;

type Field = keyof typeof moveColumnsOf;
type MoveInSql = { readonly [F in 'id' | 'to']: string } & { readonly [F in Exclude<Field, 'id' | 'to'>]?: string };

// The record has exactly these keys.
const fields = Object.keys(moveColumnsOf) as Field[];
const sourceColumns = fields.map((field) => moveColumnsOf[field][0]).join(', ');

/** SQL: the columns of a source of moves. Each field is an expression. */
export const moveColumns = (move: MoveInSql): string =>
  fields.map((field) => move[field] ?? moveColumnsOf[field][1]).join(', ');

/** Moves as `from>to`, in one list. A join with pairs would look each message up once for each pair. */
const allowedMoves = messageStatuses.flatMap((from) => messageMoves[from].map((to) => `'${from}>${to}'`)).join(', ');

const quoted = (statuses: readonly MessageStatus[]) => statuses.map((status) => `'${status}'`).join(', ');

/** The statuses that a network reports. Each implies those before it. */
export const reportedStatuses = ['sent', 'delivered', 'read'] as const satisfies readonly MessageStatus[];
const reported = `ARRAY[${quoted(reportedStatuses)}]`;

/**
 * SQL: the statuses through which a message comes to `to`, which is included. A report implies the statuses before it.
 */
const stepsOf = (to: string, before: string) => `CASE WHEN ${to} = ANY (${reported})
  THEN (${reported})[coalesce(array_position(${reported}, ${before}), 0) + 1 : array_position(${reported}, ${to})]
  ELSE ARRAY[${to}] END`;

/**
 * Messages are locked in the order of their ids, as in all statements. So two statements with common messages wait for
 * each other and do not deadlock.
 *
 * - `owner_epoch`: the message must still be `sending` under this epoch. A refusal counts only while this epoch holds
 *   the lease. Null: no try caused the move; then it never says that a message in `sending` did not go out.
 * - `attempt`: must be the last try of the message. A late refusal of an earlier try changes nothing.
 * - A permanent refusal or an expiry is certain only if each earlier try had an answer. Otherwise the message becomes
 *   `unknown`.
 * - Only a try can lead to `sent` and later statuses, so they need a message that was tried.
 * - A report records each implied step: `read` of a message that was only `sent` writes `delivered`, then `read`.
 */
const moveStatement = (source: string) => `
  WITH asked (${sourceColumns}) AS MATERIALIZED (${source}),
  locked AS MATERIALIZED (
    SELECT m.id, m.status AS before FROM messages m WHERE m.id IN (SELECT id FROM asked) ORDER BY m.id FOR NO KEY UPDATE),
  moved AS (
    UPDATE messages m
    SET status = CASE WHEN a.to_status IN ('failed', 'expired') AND m.unanswered > 0 THEN 'unknown' ELSE a.to_status END,
        reason = CASE WHEN a.to_status = 'expired' AND m.unanswered > 0 THEN 'no_answer' ELSE a.reason END,
        unanswered = m.unanswered + CASE WHEN a.to_status = 'unknown' AND m.status = 'sending' THEN 1 ELSE 0 END,
        held_until = CASE WHEN a.hold_ms IS NULL THEN m.held_until ELSE now() + a.hold_ms * interval '1 millisecond' END,
        waits_until = CASE WHEN a.hold_ms > 0 THEN now() + a.hold_ms * interval '1 millisecond' ELSE m.waits_until END,
        event_count = m.event_count + cardinality(${stepsOf('a.to_status', 'm.status')})
    FROM asked a JOIN locked USING (id)
    WHERE m.id = a.id AND m.status || '>' || a.to_status IN (${allowedMoves})
      AND (a.owner_epoch IS NULL OR (m.status = 'sending' AND m.epoch = a.owner_epoch
           AND (a.to_status = 'unknown' OR EXISTS (SELECT 1 FROM device_leases l
                 WHERE l.device_id = m.device_id AND l.epoch = a.owner_epoch AND l.expires_at > now()))))
      AND (a.attempt IS NULL OR m.attempts = a.attempt)
      AND (a.owner_epoch IS NOT NULL OR m.status <> 'sending' OR a.to_status IN (${quoted([...reportedStatuses, 'unknown'])}))
      AND (m.attempts > 0 OR a.to_status IN (${quoted(['failed', 'expired', 'cancelled'])}))
      AND (a.to_status <> 'cancelled' OR m.unanswered = 0)
    RETURNING m.id, m.account_id, m.device_id, m.status, m.reason, m.waits_until, m.event_count, m.period_id, m.network_message_id, m.traceparent,
      ${stepsOf('m.status', 'locked.before')} AS steps),
  recorded AS (
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, reason, until)
    SELECT moved.account_id, (SELECT event_generation()), moved.device_id, moved.id, moved.event_count - cardinality(moved.steps) + step.n,
      ${kindOfStatus('step.status')}, moved.reason, CASE WHEN moved.status = 'queued' THEN moved.waits_until END
    FROM moved, unnest(moved.steps) WITH ORDINALITY AS step (status, n) ORDER BY moved.id, step.n),
  owed AS (
    SELECT period_id, count(*)::int AS n FROM moved
    WHERE period_id IS NOT NULL AND status IN (${quoted(refundedStatuses)}) GROUP BY period_id),
  charged AS (
    SELECT p.id, owed.n FROM subscription_periods p JOIN owed ON owed.period_id = p.id
    ${inPeriodOrder} FOR UPDATE OF p),
  refunded AS (
    UPDATE subscription_periods p SET taken_quota = p.taken_quota - charged.n FROM charged WHERE p.id = charged.id)
  SELECT id, status, steps, network_message_id AS "networkMessageId", traceparent FROM moved`;

type Queryable = pg.Pool | pg.PoolClient;

export type Moved = {
  readonly id: string;
  readonly status: MessageStatus;
  /** The statuses through which it came, the last one included. */
  readonly steps: readonly MessageStatus[];
  readonly networkMessageId: string;
  /** The span that accepted it. Null: it is not traced. */
  readonly traceparent: string | null;
};

/**
 * Moves the messages of `source` (SQL that selects `moveColumns`) and returns those that moved. `name` is the name of
 * the prepared statement; each source needs its own.
 */
export function writeMoves(
  queryable: Queryable,
  name: string,
  source: string,
  values: readonly unknown[],
): Promise<Moved[]> {
  // Sweeps lock messages before this statement sorts them, and refunds and acceptances lock the same periods.
  return againAfterDeadlock(() => moveOnce(queryable, name, source, values));
}

/** The same inside a transaction. A deadlock ends the whole transaction, so the caller must retry all of it. */
export async function moveOnce(
  queryable: Queryable,
  name: string,
  source: string,
  values: readonly unknown[],
): Promise<Moved[]> {
  const { rows } = await queryable.query<Moved>({ name, text: moveStatement(source), values: [...values] });
  for (const status of rows.flatMap(({ steps }) => steps)) metrics.messageMoves.add({ status });
  return rows;
}

export type Move = {
  readonly id: string;
  readonly to: MessageStatus;
  readonly reason?: string;
  readonly ownerEpoch?: bigint;
  /** The number of the try that caused the move, from 1. */
  readonly attempt?: number;
  /** For a move back to `queued`: the time before the next try. */
  readonly holdMs?: number;
};

const listedMoves = `
  SELECT ${moveColumns({ id: 'id', to: 'status', reason: 'reason', ownerEpoch: 'epoch', attempt: 'attempt', holdMs: 'hold_ms' })}
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::int[], $6::bigint[]) AS t (id, status, reason, epoch, attempt, hold_ms)`;

/** One statement moves a row only once. So several moves of one message go into rounds, in the given order. */
function roundsOf(moves: readonly Move[]): Move[][] {
  const rounds: Move[][] = [];
  const seen = new Map<string, number>();
  for (const move of moves) {
    const round = seen.get(move.id) ?? 0;
    seen.set(move.id, round + 1);
    rounds[round] ??= [];
    rounds[round].push(move);
  }
  return rounds;
}

/** Moves listed messages; the order holds for each message. Returns each move that happened. */
export async function moveMessages(queryable: Queryable, moves: readonly Move[]): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const round of roundsOf(moves)) {
    const rows = await writeMoves(queryable, 'move-listed', listedMoves, [
      round.map((move) => move.id),
      round.map((move) => move.to),
      round.map((move) => move.reason ?? null),
      round.map((move) => move.ownerEpoch ?? null),
      round.map((move) => move.attempt ?? null),
      round.map((move) => (move.holdMs === undefined ? null : Math.ceil(move.holdMs))),
    ]);
    moved.push(...rows);
  }
  return moved;
}
