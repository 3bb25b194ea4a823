/** Pages of the log for many webhooks, in one statement. */
import type { AccountId, WebhookId } from '@kurir/contracts';
import {
  type EventPosition,
  type EventRow,
  endOf,
  eventColumns,
  eventOf,
  type LoggedEvent,
  logEnd,
} from '../events/events.js';
import type { Database } from '../postgres/connect.js';

export type WebhookPageRequest = {
  /** Names the page. One webhook may ask for two: its own and that of a replay. */
  readonly key: string;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly after: EventPosition;
  /** If true, each event lists the smaller sequences of its subject that come later in the log. */
  readonly ordered: boolean;
};

export type WebhookLogEvent = LoggedEvent & {
  /** Sequences of the same subject that are smaller, but stand after this event in the log. */
  readonly laterPredecessors: readonly number[];
};

export type WebhookPage = {
  readonly events: readonly WebhookLogEvent[];
  /** All earlier events of the account are in this page or an earlier one. */
  readonly next: EventPosition;
  readonly hasMore: boolean;
};

type Row = EventRow & { key: string | null; later: number[] | null };

/**
 * A transaction may get its id and then wait for a row. So an event may stand before an earlier one of its subject. The
 * earlier one is committed whenever the later one is, so one snapshot shows both.
 */
const laterPredecessors = `CASE WHEN asked.ordered THEN (
  SELECT array_agg(p.sequence) FROM events p WHERE p.subject_id = e.subject_id AND p.account_id = e.account_id
    AND p.sequence < e.sequence AND p.at > e.at - interval '1 day' AND (p.generation, p.xid, p.seq) > (e.event_generation, e.xid, e.seq)) END`;

/** Returns a page of at most `limit` events for each request, by its key. */
export async function readWebhookEvents(
  { pool }: Database,
  requests: readonly WebhookPageRequest[],
  limit: number,
): Promise<ReadonlyMap<string, WebhookPage>> {
  if (requests.length === 0) return new Map();
  const { rows } = await pool.query<Row>({
    name: 'webhook-events',
    text: `WITH here AS MATERIALIZED (${logEnd}),
           found AS (
             SELECT asked.key, e.*, ${laterPredecessors} AS later
             FROM here, unnest($1::text[], $2::text[], $3::bigint[], $4::xid8[], $5::bigint[], $6::boolean[])
               AS asked (key, account_id, generation, xid, seq, ordered)
             CROSS JOIN LATERAL (
               SELECT ${eventColumns} FROM events e
               WHERE e.account_id = asked.account_id
                 AND (e.generation, e.xid, e.seq) > (asked.generation, asked.xid, asked.seq)
                 AND (e.generation < here.generation OR e.xid < here.horizon)
               ORDER BY e.generation, e.xid, e.seq LIMIT $7 + 1) e)
           SELECT here.generation, here.horizon::text AS horizon, found.* FROM here LEFT JOIN found ON true
           ORDER BY key, event_generation, xid, seq`,
    values: [
      requests.map(({ key }) => key),
      requests.map(({ accountId }) => accountId),
      requests.map(({ after }) => after.generation),
      requests.map(({ after }) => String(after.xid)),
      requests.map(({ after }) => after.seq),
      requests.map(({ ordered }) => ordered),
      limit,
    ],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('a left join without a row');
  const found = new Map<string | null, Row[]>(requests.map(({ key }) => [key, []]));
  for (const row of rows) found.get(row.key)?.push(row);
  return new Map(requests.map(({ key }) => [key, pageOf(found.get(key) ?? [], endOf(first), limit)]));
}

function pageOf(rows: readonly Row[], end: EventPosition, limit: number): WebhookPage {
  const isEvent = (row: Row): row is Row & { xid: string } => row.xid !== null;
  const events = rows
    .filter(isEvent)
    .slice(0, limit)
    .map((row) => ({ ...eventOf(row), laterPredecessors: row.later ?? [] }));
  const hasMore = rows.length > limit;
  const last = events.at(-1);
  return { events, hasMore, next: hasMore && last !== undefined ? last.position : end };
}
