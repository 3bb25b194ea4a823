/** Reads what happened on a UTC day in pages, each already counted by device. */
import { newId } from '@kurir/contracts';
import type pg from 'pg';

const rowsPerPage = 5_000;

export type Counts = {
  sent: number;
  delivered: number;
  failed: number;
  refused: number;
  unknown: number;
  answers: number;
  opted_out: number;
};

export type PageOfDay = {
  readonly counts: readonly (Partial<Counts> & { readonly device_id: string })[];
  readonly hasMore: boolean;
};

/** Each call reads the next page. After the last one it must not be called again. */
export type NextPage = (pool: pg.Pool) => Promise<PageOfDay>;

type Row = { counts: PageOfDay['counts'] | null; looked: number; at: Date | null; id: string | null };

/** `page` selects rows with `device_id`, `at` and `id`, in the given order. `counts` counts `page p` by device. */
const statement = (page: string, order: readonly ('at' | 'id')[], counts: string) => `
  WITH page AS MATERIALIZED (${page} LIMIT ${rowsPerPage}),
  last AS (SELECT at, id FROM page ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT 1)
  SELECT (SELECT json_agg(c) FROM (${counts}) c) AS counts, (SELECT count(*)::int FROM page) AS looked,
    (SELECT at FROM last) AS at, (SELECT id FROM last) AS id`;

const isRefused = `coalesce(p.reason IN ('rejected_by_network', 'rate_limited_by_network', 'new_contacts_restricted',
  'recipient_token_required', 'recipient_address_refused', 'temporarily_unavailable'), false)`;
/** These failures say nothing about the number. */
const isOwnFailure = `coalesce(p.reason IN ('device_unlinked', 'content_unreadable', 'recipient_suppressed'), false)`;
/** From `page p`, what is of the device's present number. */
const ofNumber = `FROM page p LEFT JOIN device_health h ON h.device_id = p.device_id
  WHERE h.counted_from IS NULL OR p.at >= h.counted_from`;

const messageCounts = `
  SELECT p.device_id, count(*) FILTER (WHERE p.status IN ('sent', 'delivered', 'read'))::int AS sent,
    count(*) FILTER (WHERE p.status IN ('delivered', 'read'))::int AS delivered,
    count(*) FILTER (WHERE p.status = 'failed' AND ${isRefused})::int AS refused,
    count(*) FILTER (WHERE p.status = 'failed' AND NOT ${isRefused} AND NOT ${isOwnFailure})::int AS failed,
    count(*) FILTER (WHERE p.status = 'unknown')::int AS unknown
  ${ofNumber} GROUP BY p.device_id`;

const accepted = {
  name: 'count-accepted-of-day',
  text: statement(
    `SELECT id, created_at AS at, device_id, status, reason FROM messages WHERE id > $1 AND id < $2 AND send_at IS NULL ORDER BY id`,
    ['id'],
    messageCounts,
  ),
} as const;

const scheduled = {
  name: 'count-scheduled-of-day',
  text: statement(
    `SELECT id, send_at AS at, device_id, status, reason FROM messages
     WHERE send_at IS NOT NULL AND (send_at, id) > ($1::timestamptz, $2::text) AND send_at < $3::timestamptz ORDER BY send_at, id`,
    ['at', 'id'],
    messageCounts,
  ),
} as const;

/** A message in a group has a participant. */
const answers = {
  name: 'count-answers-of-day',
  text: statement(
    `SELECT id, received_at AS at, device_id, kind = 'received' AND participant = '' AS counts FROM inbound_messages
     WHERE id > $1 AND id < $2 ORDER BY id`,
    ['id'],
    `SELECT p.device_id, count(*) FILTER (WHERE p.counts)::int AS answers ${ofNumber} GROUP BY p.device_id`,
  ),
} as const;

/**
 * A word counts for the device that got it. A complaint counts for the device that wrote the last marketing to the person.
 * The index of suppressions begins with the account, so each account is looked up.
 */
const optOuts = {
  name: 'count-opt-outs-of-day',
  text: `SELECT json_agg(c) AS counts FROM (
      SELECT p.device_id, count(DISTINCT coalesce(p.source_id, p.recipient))::int AS opted_out FROM (
        SELECT coalesce(i.device_id, lately.device_id) AS device_id, s.created_at AS at, s.source_id, s.recipient
        FROM accounts a CROSS JOIN LATERAL (
          SELECT * FROM suppressions s WHERE s.account_id = a.id AND s.created_at >= $1 AND s.created_at < $2
            AND s.reason IN ('keyword', 'complaint') OFFSET 0) s
        LEFT JOIN inbound_messages i ON i.id = s.source_id
        LEFT JOIN LATERAL (
          SELECT m.device_id FROM messages m WHERE m.account_id = s.account_id AND m.recipient = s.recipient AND m.category = 2
            AND m.created_at <= s.created_at ORDER BY m.created_at DESC LIMIT 1) lately ON i.id IS NULL) p
      LEFT JOIN device_health h ON h.device_id = p.device_id
      WHERE p.device_id IS NOT NULL AND (h.counted_from IS NULL OR p.at >= h.counted_from) GROUP BY p.device_id) c`,
} as const;

async function read(pool: pg.Pool, asked: { name: string; text: string }, values: readonly unknown[]) {
  const { rows } = await pool.query<Row>({ ...asked, values: [...values] });
  const { counts, looked, at, id } = rows[0] ?? { counts: null, looked: 0, at: null, id: null };
  return { page: { counts: counts ?? [], hasMore: looked === rowsPerPage }, at, id };
}

/** Pages over ids of this kind, whose time is in the day. */
function byId(kind: 'msg' | 'inb', asked: { name: string; text: string }, from: Date, until: Date): NextPage {
  // An id begins with its kind and ten characters of time.
  const bound = (at: Date) => newId(kind, at.getTime()).slice(0, 14);
  let after = bound(from);
  return async (pool) => {
    const { page, id } = await read(pool, asked, [after, bound(until)]);
    after = id ?? after;
    return page;
  };
}

function byTime(asked: { name: string; text: string }, from: Date, until: Date): NextPage {
  let after: [at: Date, id: string] = [from, ''];
  return async (pool) => {
    const { page, at, id } = await read(pool, asked, [...after, until]);
    if (at !== null && id !== null) after = [at, id];
    return page;
  };
}

/** Together they read all that belongs to the time from `from` until `until`. */
export const pagesOfDay = (from: Date, until: Date): readonly NextPage[] => [
  byId('msg', accepted, from, until),
  byTime(scheduled, from, until),
  byId('inb', answers, from, until),
  async (pool) => (await read(pool, optOuts, [from, until])).page,
];
