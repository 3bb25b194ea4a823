/** Reads broadcasts for their account. Counts come from the rows of recipients and messages, in one snapshot. */
import {
  type AccountId,
  type BroadcastId,
  type BroadcastState,
  type DeviceId,
  type MessageCategory,
  messageCategories,
  type MessageId,
  type MessageReason,
  type MessageStatus,
  type PauseReason,
  type SendWindow,
  sandboxNetworks,
  type SkipReason,
} from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import type { Tripped } from './state/broadcast-state.js';

export type BroadcastView = {
  readonly id: BroadcastId;
  readonly name: string;
  readonly category: MessageCategory;
  readonly state: BroadcastState;
  readonly pausedBy: PauseReason | null;
  readonly deviceIds: readonly string[];
  readonly pacePerMinute: number | null;
  readonly sendAt: Date | null;
  /** Rows of its list, also those that get no message. */
  readonly recipients: number;
  /** The part of its file or contacts that is read. Null: it is not `checking`. */
  readonly plannedShare: number | null;
  /** Why its audience could not be read to the end. */
  readonly audienceProblem: { readonly code: string; readonly row: number | null } | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Null: any hour. */
  readonly window: SendWindow | null;
  readonly maxPerDay: number | null;
  readonly guardFailed: number | null;
  readonly guardOptedOut: number | null;
  /** The guard that paused it. */
  readonly tripped: Tripped | null;
};

/** Each recipient is counted once. */
export type BroadcastCounts = {
  readonly pending: number;
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[];
  readonly messages: Partial<Record<MessageStatus, number>>;
  /** The reasons of failed messages. */
  readonly failed: readonly { readonly reason: MessageReason; readonly count: number }[];
};

const columns = `b.id, b.name, b.category, b.state, b.paused_by AS "pausedBy", b.device_ids AS "deviceIds", b.pace_per_minute AS "pacePerMinute",
  b.send_at AS "sendAt", b.recipients, b.created_by AS "createdBy", b.created_at AS "createdAt", b.started_at AS "startedAt", b.ended_at AS "endedAt",
  CASE WHEN b.window_from IS NOT NULL THEN jsonb_build_object('from', b.window_from, 'to', b.window_to, 'zone', b.window_zone) END AS window,
  b.max_per_day AS "maxPerDay",
  b.guard_failed AS "guardFailed", b.guard_opted_out AS "guardOptedOut", b.tripped,
  CASE WHEN b.state = 'checking' THEN round(coalesce(a.done::numeric / nullif(a.total, 0), 0), 3)::float8 END AS "plannedShare",
  CASE WHEN a.problem IS NOT NULL THEN jsonb_build_object('code', a.problem, 'row', a.problem_row) END AS "audienceProblem"`;

const from = 'broadcasts b LEFT JOIN broadcast_audiences a ON a.broadcast_id = b.id';

type Row = Omit<BroadcastView, 'category'> & { readonly category: number };

const viewOf = (row: Row): BroadcastView => ({ ...row, category: messageCategories[row.category] ?? 'marketing' });

const byReason = (reason: string, rows: string) => `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'count', n) ORDER BY n DESC, reason), '[]')
   FROM (SELECT ${reason} AS reason, count(*)::int AS n FROM ${rows} GROUP BY 1) each_one)`;

const counts = `
  (SELECT count(*)::int FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.state = 0) AS pending,
  ${byReason('r.skip_reason', 'broadcast_recipients r WHERE r.broadcast_id = b.id AND r.state = 1')} AS skipped,
  (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (
     SELECT m.status, count(*)::int AS n FROM messages m WHERE m.broadcast_id = b.id GROUP BY 1) each_one) AS messages,
  ${byReason(`coalesce(m.reason, 'rejected_by_network')`, `messages m WHERE m.broadcast_id = b.id AND m.status = 'failed'`)} AS failed`;

export type CountedBroadcast = { readonly broadcast: BroadcastView; readonly counts: BroadcastCounts };

/** Null: the account has no such broadcast. */
export async function readBroadcast(
  { lists }: Database,
  accountId: AccountId,
  id: string,
): Promise<CountedBroadcast | null> {
  const { rows } = await lists.query<Row & BroadcastCounts>(
    `SELECT ${columns}, ${counts} FROM ${from} WHERE b.id = $1 AND b.account_id = $2`,
    [id, accountId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { pending, skipped, messages, failed, ...rest } = row;
  return { broadcast: viewOf(rest), counts: { pending, skipped, messages, failed } };
}

/** A broadcast without its counts, which take long for a long list. Null: the account has no such broadcast. */
export async function findBroadcast(
  { lists }: Database,
  accountId: AccountId,
  id: string,
): Promise<BroadcastView | null> {
  const { rows } = await lists.query<Row>(`SELECT ${columns} FROM ${from} WHERE b.id = $1 AND b.account_id = $2`, [
    id,
    accountId,
  ]);
  const [row] = rows;
  return row === undefined ? null : viewOf(row);
}

type BroadcastPage = {
  readonly limit: number;
  readonly cursor: string | null;
  /** Only those that test keys made. */
  readonly ofTestKeys?: boolean;
};

/** The newest first. The cursor is the id of the last one. */
export async function listBroadcasts(
  { lists }: Database,
  accountId: AccountId,
  { limit, cursor, ofTestKeys = false }: BroadcastPage,
): Promise<{ readonly broadcasts: readonly BroadcastView[]; readonly nextCursor: string | null }> {
  const { rows } = await lists.query<Row>(
    `SELECT ${columns} FROM ${from} WHERE b.account_id = $1 AND ($2::text IS NULL OR b.id < $2)
       AND (NOT $4::boolean OR (starts_with(b.created_by, 'kk_test_') AND NOT EXISTS (
         SELECT FROM unnest(b.device_ids) AS own (id) JOIN devices d ON d.id = own.id WHERE d.network <> ALL ($5::text[]))))
     ORDER BY b.id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit, ofTestKeys, sandboxNetworks],
  );
  const broadcasts = rows.slice(0, limit).map(viewOf);
  return { broadcasts, nextCursor: rows.length > limit ? (broadcasts.at(-1)?.id ?? null) : null };
}

export type RecipientOutcome = 'pending' | 'skipped' | MessageStatus;

export type RecipientView = {
  readonly position: number;
  readonly recipient: string;
  readonly outcome: RecipientOutcome;
  readonly reason: SkipReason | MessageReason | null;
  readonly messageId: MessageId | null;
  readonly deviceId: DeviceId | null;
};

/** Rows of one broadcast as `r`, with their messages as `m`. */
const recipientColumns = `r.position, r.recipient, coalesce(r.skip_reason, m.reason) AS reason, r.message_id AS "messageId",
  CASE r.state WHEN 0 THEN 'pending' WHEN 1 THEN 'skipped' ELSE coalesce(m.status, 'unknown') END AS outcome,
  CASE WHEN r.state = 2 THEN r.device_id END AS "deviceId"`;

/** The message of a row. With the limit, each is looked up alone; otherwise the planner prepares for the whole list. */
const itsMessage = '(SELECT status, reason FROM messages WHERE id = r.message_id LIMIT 1) m';

/** In the order of the list. It is cut before its messages are looked up. */
const pageOf = (which: string) => `
  SELECT ${recipientColumns}
  FROM (SELECT * FROM broadcast_recipients WHERE broadcast_id = $1 AND position > $2 AND ${which} ORDER BY position LIMIT $3 + 1) r
  LEFT JOIN LATERAL ${itsMessage} ON true ORDER BY r.position`;

/** The list is read until the page is full. */
const frequent = `
  SELECT ${recipientColumns} FROM broadcast_recipients r CROSS JOIN LATERAL ${itsMessage}
  WHERE r.broadcast_id = $1 AND r.position > $2 AND r.state = 2 AND m.status = $4 ORDER BY r.position LIMIT $3 + 1`;

/** Begins with the messages, which have an index by outcome. An erased person has another name in the list. */
const rare = `
  SELECT ${recipientColumns} FROM messages m JOIN broadcast_recipients r
    ON r.broadcast_id = $1 AND r.state = 2 AND r.recipient = m.recipient AND r.message_id = m.id
  WHERE m.broadcast_id = $1 AND m.status = $4 AND r.position > $2
  UNION ALL
  SELECT ${recipientColumns} FROM broadcast_recipients r JOIN messages m ON m.id = r.message_id
  WHERE r.broadcast_id = $1 AND r.state = 2 AND r.recipient > 'erased' AND r.recipient < 'f' AND m.status = $4 AND r.position > $2
  ORDER BY position LIMIT $3 + 1`;

/** With so many messages of an outcome, reading the list is faster than sorting them. */
const rareUpTo = 20_000;

async function isRare({ lists }: Database, id: BroadcastId, status: MessageStatus): Promise<boolean> {
  const { rows } = await lists.query<{ isRare: boolean }>(
    `SELECT count(*) < ${rareUpTo} AS "isRare" FROM (
       SELECT FROM messages WHERE broadcast_id = $1 AND status = $2 LIMIT ${rareUpTo}) few`,
    [id, status],
  );
  return rows[0]?.isRare === true;
}

async function readRecipients(
  database: Database,
  id: BroadcastId,
  after: number,
  { outcome, limit }: { readonly outcome: RecipientOutcome | null; readonly limit: number },
): Promise<readonly RecipientView[]> {
  const { lists } = database;
  const values = [id, after, limit];
  const read = async (text: string, more: readonly string[] = []) =>
    (await lists.query<RecipientView>(text, [...values, ...more])).rows;
  if (outcome === null) return read(pageOf('true'));
  if (outcome === 'pending') return read(pageOf('state = 0'));
  if (outcome === 'skipped') return read(pageOf('state = 1'));
  return read((await isRare(database, id, outcome)) ? rare : frequent, [outcome]);
}

/** In the order of the list. The cursor is the position of the last one. */
export async function listRecipients(
  database: Database,
  id: BroadcastId,
  filter: { readonly outcome: RecipientOutcome | null; readonly limit: number; readonly cursor: string | null },
): Promise<{ readonly recipients: readonly RecipientView[]; readonly nextCursor: string | null }> {
  const after = filter.cursor !== null && /^[0-9]{1,9}$/.test(filter.cursor) ? Number(filter.cursor) : 0;
  const rows = await readRecipients(database, id, after, filter);
  const recipients = rows.slice(0, filter.limit);
  return { recipients, nextCursor: rows.length > filter.limit ? String(recipients.at(-1)?.position) : null };
}
