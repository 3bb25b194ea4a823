/** The events that a webhook did not take yet, and the record of attempts. */
import type { WebhookError, WebhookId } from '@kurir/contracts';
import { type EventPosition, type EventRow, eventColumns, eventOf, type LoggedEvent } from '../events/events.js';
import type { Database } from '../postgres/connect.js';
import { isMine, leaseValues, type WebhookLease } from './webhook-leases.js';

export type WebhookAttempt = {
  readonly event: LoggedEvent & { readonly sequence: number };
  readonly eventId: string;
  /** The number of this try, from 1. Zero: a probe. */
  readonly tries: number;
  readonly status: number | null;
  readonly error: WebhookError | null;
  readonly durationMs: number;
  /** The beginning of the answer. */
  readonly response: string | null;
};

const attemptColumns =
  'webhook_id, generation, xid, seq, event_at, event_id, type, tries, status, error, duration_ms, response';

/** The parameters `$4` to `$15` of an attempt. */
const attemptValues = ({ event, eventId, tries, status, error, durationMs, response }: WebhookAttempt) => [
  event.position.generation,
  String(event.position.xid),
  event.position.seq,
  event.at,
  eventId,
  event.kind,
  tries,
  status,
  error,
  durationMs,
  response,
];

const attemptSql = '$4::bigint, $5::xid8, $6::bigint, $7::timestamptz, $8, $9, $10, $11, $12, $13, $14';

/** Records an attempt that changes nothing else: a success, or a probe that failed. */
export async function noteAttempt(
  { pool }: Database,
  lease: WebhookLease,
  attempt: WebhookAttempt,
  outcome: 'delivered' | 'probed',
): Promise<void> {
  await pool.query({
    name: 'note-attempt',
    text: `INSERT INTO webhook_attempts (${attemptColumns}, outcome)
           SELECT r.webhook_id, ${attemptSql}, $15 FROM webhook_readers r WHERE ${isMine}`,
    values: [...leaseValues(lease), ...attemptValues(attempt), outcome],
  });
}

/**
 * Stores that a try failed. `retryMs` is the time until the next one; null: its tries are used up. Returns how long the
 * webhook has failed, in milliseconds. Returns null if another worker has the lease.
 */
export async function noteFailure(
  { pool }: Database,
  lease: WebhookLease,
  attempt: WebhookAttempt,
  retryMs: number | null,
): Promise<number | null> {
  const { subjectId, sequence } = attempt.event;
  const { rows } = await pool.query<{ failingMs: number }>({
    name: 'note-failure',
    text: `WITH mine AS (
             UPDATE webhook_readers r SET last_failure_at = now(), failing_since = coalesce(r.failing_since, now())
             WHERE ${isMine} RETURNING webhook_id, failing_since),
           retry AS (
             INSERT INTO webhook_retries AS t (webhook_id, generation, xid, seq, event_at, subject_id, sequence, tries, due_at, failed_at)
             SELECT webhook_id, $4::bigint, $5::xid8, $6::bigint, $7::timestamptz, $15, $16::int, $10::smallint,
               now() + coalesce($17::float8, 0) * interval '1 millisecond', CASE WHEN $17::float8 IS NULL THEN now() END
             FROM mine
             ON CONFLICT (webhook_id, generation, xid, seq) DO UPDATE
             SET tries = GREATEST(t.tries, excluded.tries), due_at = excluded.due_at, failed_at = excluded.failed_at),
           attempt AS (
             INSERT INTO webhook_attempts (${attemptColumns}, outcome, next_try_at)
             SELECT webhook_id, ${attemptSql}, CASE WHEN $17::float8 IS NULL THEN 'failed' ELSE 'retrying' END,
               now() + $17::float8 * interval '1 millisecond' FROM mine)
           SELECT (extract(epoch FROM now() - failing_since) * 1000)::float8 AS "failingMs" FROM mine`,
    values: [...leaseValues(lease), ...attemptValues(attempt), subjectId, sequence, retryMs],
  });
  return rows[0]?.failingMs ?? null;
}

/** Stores that these events wait behind an earlier one of their subject. They are tried as soon as none is before them. */
export async function holdEvents(
  { pool }: Database,
  lease: WebhookLease,
  events: readonly (LoggedEvent & { readonly sequence: number })[],
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'hold-events',
    text: `WITH mine AS (SELECT r.webhook_id FROM webhook_readers r WHERE ${isMine} FOR NO KEY UPDATE),
           held AS (
             INSERT INTO webhook_retries (webhook_id, generation, xid, seq, event_at, subject_id, sequence)
             SELECT mine.webhook_id, e.* FROM mine,
               unnest($4::bigint[], $5::xid8[], $6::bigint[], $7::timestamptz[], $8::text[], $9::int[]) e
             ON CONFLICT DO NOTHING)
           SELECT 1 FROM mine`,
    values: [
      ...leaseValues(lease),
      events.map(({ position }) => position.generation),
      events.map(({ position }) => String(position.xid)),
      events.map(({ position }) => position.seq),
      events.map(({ at }) => at),
      events.map(({ subjectId }) => subjectId),
      events.map(({ sequence }) => sequence),
    ],
  });
  return rowCount === 1;
}

/** The event was taken, or the log does not have it any more. */
export async function endRetry({ pool }: Database, lease: WebhookLease, position: EventPosition): Promise<void> {
  await pool.query({
    name: 'end-retry',
    text: `DELETE FROM webhook_retries t USING webhook_readers r
           WHERE ${isMine} AND t.webhook_id = r.webhook_id AND t.generation = $4 AND t.xid = $5::xid8 AND t.seq = $6`,
    values: [...leaseValues(lease), position.generation, String(position.xid), position.seq],
  });
}

export type DueRetry = {
  readonly webhookId: WebhookId;
  readonly position: EventPosition;
  readonly subjectId: string;
  /** The tries so far. */
  readonly tries: number;
  /** Null: the log does not have it any more. */
  readonly event: LoggedEvent | null;
};

export type RetryRequest = {
  readonly webhookId: WebhookId;
  readonly ordered: boolean;
  /** For a probe: the oldest waiting event, whether it is due or not. */
  readonly isProbe: boolean;
  /** The positions of rows that are left out, as `generation xid seq`. */
  readonly except: readonly string[];
  readonly limit: number;
};

type DueRow = EventRow & {
  webhook_id: WebhookId;
  retry_generation: bigint;
  retry_xid: string;
  retry_seq: bigint;
  retry_subject: string;
  tries: number;
};

/** At ordered webhooks, an event waits for all earlier ones of its subject. */
const isFirst = `NOT EXISTS (SELECT 1 FROM webhook_retries p WHERE p.webhook_id = t.webhook_id AND p.subject_id = t.subject_id
  AND p.sequence < t.sequence AND p.failed_at IS NULL)`;

/** The events that are due for another try, the longest due first. */
export async function readDueRetries({ pool }: Database, requests: readonly RetryRequest[]): Promise<DueRetry[]> {
  if (requests.length === 0) return [];
  const { rows } = await pool.query<DueRow>({
    name: 'due-retries',
    text: `SELECT due.webhook_id, due.generation AS retry_generation, due.xid::text AS retry_xid, due.seq AS retry_seq,
             due.subject_id AS retry_subject, due.tries, ${eventColumns}
           FROM unnest($1::text[], $2::boolean[], $3::boolean[], $4::int[], $5::text[]) AS asked (webhook_id, ordered, is_probe, max, left_out)
           CROSS JOIN LATERAL (
             SELECT t.* FROM webhook_retries t
             WHERE t.webhook_id = asked.webhook_id AND t.failed_at IS NULL AND (asked.is_probe OR t.due_at <= now())
               AND (NOT asked.ordered OR ${isFirst})
               AND (asked.left_out = '' OR concat_ws(' ', t.generation, t.xid, t.seq) <> ALL (string_to_array(asked.left_out, ',')))
             ORDER BY t.due_at, t.generation, t.xid, t.seq LIMIT asked.max) due
           JOIN webhooks w ON w.id = due.webhook_id
           LEFT JOIN events e ON e.account_id = w.account_id AND e.generation = due.generation AND e.xid = due.xid
             AND e.seq = due.seq AND e.at = due.event_at`,
    values: [
      requests.map(({ webhookId }) => webhookId),
      requests.map(({ ordered }) => ordered),
      requests.map(({ isProbe }) => isProbe),
      requests.map(({ limit }) => limit),
      requests.map(({ except }) => except.join(',')),
    ],
  });
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    position: { generation: row.retry_generation, xid: BigInt(row.retry_xid), seq: row.retry_seq },
    subjectId: row.retry_subject,
    tries: row.tries,
    event: row.xid === null ? null : eventOf({ ...row, xid: row.xid }),
  }));
}

/** Deletes attempts and failed events that are older than the feed. */
export async function forgetAttempts({ pool }: Database, days: number): Promise<void> {
  await pool.query(`DELETE FROM webhook_attempts WHERE at < now() - $1 * interval '1 day'`, [days]);
  await pool.query(`DELETE FROM webhook_retries WHERE failed_at < now() - $1 * interval '1 day'`, [days]);
}
