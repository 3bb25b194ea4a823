/** Lists attempts to deliver, and events that used all tries. */
import type { AttemptOutcome, WebhookId } from '@kurir/contracts';
import { type EventPosition, nameOfPosition } from '../events/events.js';
import type { Database } from '../postgres/connect.js';

type Place = { generation: bigint; xid: string; seq: bigint };

const positionOf = ({ generation, xid, seq }: Place): EventPosition => ({ generation, xid: BigInt(xid), seq });

export type Attempt = {
  readonly id: string;
  readonly position: EventPosition;
  readonly eventAt: Date;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  readonly tries: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly response: string | null;
  readonly nextTryAt: Date | null;
};

type Page<Row> = { readonly rows: Row[]; readonly nextCursor: string | null };

function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last === undefined ? null : cursorOf(last) };
}

export type AttemptFilter = {
  readonly outcome: AttemptOutcome | null;
  readonly eventId: string | null;
  /** The id of the last attempt of the page before. */
  readonly before: bigint | null;
  readonly limit: number;
};

/** Newest first. */
export async function readAttempts(
  { lists }: Database,
  webhookId: WebhookId,
  { outcome, eventId, before, limit }: AttemptFilter,
): Promise<Page<Attempt>> {
  const { rows } = await lists.query<Omit<Attempt, 'position'> & Place>(
    `SELECT id::text AS id, generation, xid::text AS xid, seq, event_at AS "eventAt", event_id AS "eventId", type, at, tries,
       outcome, status, error, duration_ms AS "durationMs", response, next_try_at AS "nextTryAt"
     FROM webhook_attempts
     WHERE webhook_id = $1 AND ($2::bigint IS NULL OR id < $2) AND ($3::text IS NULL OR outcome = $3)
       AND ($4::text IS NULL OR event_id = $4)
     ORDER BY id DESC LIMIT $5 + 1`,
    [webhookId, before, outcome, eventId, limit],
  );
  const attempts = rows.map((row): Attempt => ({ ...row, position: positionOf(row) }));
  return pageOf(attempts, limit, ({ id }) => id);
}

export type FailedEvent = {
  readonly position: EventPosition;
  readonly eventAt: Date;
  readonly subjectId: string;
  readonly sequence: number;
  readonly tries: number;
  readonly failedAt: Date;
};

/** Events that used all tries, the last one of the log first. */
export async function readFailedEvents(
  { lists }: Database,
  webhookId: WebhookId,
  { before, limit }: { readonly before: EventPosition | null; readonly limit: number },
): Promise<Page<FailedEvent>> {
  const { rows } = await lists.query<Omit<FailedEvent, 'position'> & Place>(
    `SELECT generation, xid::text AS xid, seq, event_at AS "eventAt", subject_id AS "subjectId", sequence, tries,
       failed_at AS "failedAt"
     FROM webhook_retries
     WHERE webhook_id = $1 AND failed_at IS NOT NULL
       AND ($2::bigint IS NULL OR (generation, xid, seq) < ($2, $3::text::xid8, $4::bigint))
     ORDER BY generation DESC, xid DESC, seq DESC LIMIT $5 + 1`,
    [webhookId, before?.generation ?? null, before === null ? null : String(before.xid), before?.seq ?? null, limit],
  );
  const events = rows.map((row): FailedEvent => ({ ...row, position: positionOf(row) }));
  return pageOf(events, limit, ({ position }) => nameOfPosition(position));
}
