/**
 * Lists the requests of an account's keys, newest first. A filter looks through a bounded number of requests. Then a page
 * may be short or empty although older ones follow.
 */
import { type AccountId, limits } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type RequestRow = {
  readonly id: string;
  readonly at: Date;
  readonly keyId: string;
  readonly keyName: string | null;
  readonly operation: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly durationMs: number | null;
  readonly address: string | null;
  readonly notRecorded: number;
};

/** Null: not asked for. */
export type RequestFilter = {
  readonly keyId: string | null;
  /** The first digit of a status. Zero: the caller went away. */
  readonly statusClass: number | null;
  readonly operation: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
};

const lookedAtOnce = 20_000;

const isNarrow = ({ statusClass, operation, code }: RequestFilter) =>
  [statusClass, operation, code].some((value) => value !== null);

type Looked = RequestRow & { looked: number; lastLooked: string };

export async function listRequests(
  { lists }: Database,
  accountId: AccountId,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  filter: RequestFilter,
): Promise<{ requests: RequestRow[]; nextCursor: string | null }> {
  const mostLooked = isNarrow(filter) ? lookedAtOnce : limit + 1;
  const { rows } = await lists.query<Looked>(
    `WITH looked AS MATERIALIZED (
       SELECT * FROM api_requests r
       WHERE r.account_id = $1 AND ($2::text IS NULL OR r.key_id = $2) AND ($3::text IS NULL OR r.id = $3)
         AND ($4::text IS NULL OR r.id < $4) AND r.at > now() - interval '${limits.requestLogDays} days'
       ORDER BY r.id DESC LIMIT $5),
     seen AS (SELECT count(*)::int AS looked, min(id) AS last FROM looked)
     SELECT l.id, l.at, l.key_id AS "keyId", k.name AS "keyName", l.operation, l.status, l.code,
            l.duration_ms AS "durationMs", l.address, l.not_recorded AS "notRecorded", seen.looked, seen.last AS "lastLooked"
     FROM seen LEFT JOIN looked l ON ($6::int IS NULL OR (l.operation IS NOT NULL AND coalesce(l.status / 100, 0) = $6))
       AND ($7::text IS NULL OR l.operation = $7) AND ($8::text IS NULL OR l.code = $8)
     LEFT JOIN api_keys k ON k.id = l.key_id
     ORDER BY l.id DESC LIMIT $9`,
    [
      accountId,
      filter.keyId,
      filter.requestId,
      cursor,
      mostLooked,
      filter.statusClass,
      filter.operation,
      filter.code,
      limit + 1,
    ],
  );
  // The counts come also without a request that fits.
  const found = rows.filter(({ id }) => id !== null);
  const requests = found.slice(0, limit);
  if (found.length > limit) return { requests, nextCursor: requests.at(-1)?.id ?? null };
  const [counts] = rows;
  const isEnd = counts === undefined || counts.looked < mostLooked;
  return { requests, nextCursor: isEnd ? null : counts.lastLooked };
}
