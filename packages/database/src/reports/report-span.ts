/** The parts of a report's time, and the first message that belongs to it. */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type ReportSpan = {
  readonly unit: 'hour' | 'day';
  /** How many hours or days, with the present one. */
  readonly count: number;
  /** The zone of the IANA database in which hours and days begin. */
  readonly timeZone: string;
};

/** `starts`: when each hour or day began, oldest first. `fromSeq`: no message since then has a lower number. */
export type SpanStart = { readonly starts: Date[]; readonly fromSeq: bigint };

/** A message has the time of its transaction's begin, so one with a higher number may be a little older. */
const disorder = `interval '10 minutes'`;

const starts = `starts (at) AS (
  SELECT CASE $2::text WHEN 'day' THEN (date_trunc('day', now() AT TIME ZONE $4) - make_interval(days => n)) AT TIME ZONE $4
                       ELSE date_trunc('hour', now(), $4) - make_interval(hours => n) END
  FROM generate_series($3::int - 1, 0, -1) n)`;

/**
 * No index has the time of a message. Its number rises with the time, so the statement halves the account's numbers until
 * the first one of the span is left. Each step reads one row by the index of account and number.
 */
const findStart = `WITH RECURSIVE ${starts},
  since AS MATERIALIZED (SELECT min(at) - ${disorder} AS at FROM starts),
  halves (low, high) AS (
    SELECT (SELECT seq FROM messages WHERE account_id = $1 ORDER BY seq LIMIT 1),
           (SELECT seq + 1 FROM messages WHERE account_id = $1 ORDER BY seq DESC LIMIT 1)
    UNION ALL
    SELECT CASE WHEN middle.is_older THEN middle.seq + 1 ELSE h.low END, CASE WHEN middle.is_older THEN h.high ELSE (h.low + h.high) / 2 END
    FROM halves h CROSS JOIN LATERAL (
      SELECT m.seq, m.created_at < (SELECT at FROM since) AS is_older FROM messages m
      WHERE m.account_id = $1 AND m.seq >= (h.low + h.high) / 2 ORDER BY m.seq LIMIT 1) middle
    WHERE h.low < h.high)
  SELECT (SELECT array_agg(at ORDER BY at) FROM starts) AS starts, coalesce(max(low), 0) AS "fromSeq" FROM halves`;

export async function findSpanStart(
  { lists }: Database,
  accountId: AccountId,
  { unit, count, timeZone }: ReportSpan,
): Promise<SpanStart> {
  const { rows } = await lists.query<SpanStart>(findStart, [accountId, unit, count, timeZone]);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without a row');
  return row;
}
