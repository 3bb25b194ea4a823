/**
 * Reports the outcomes of an account's messages, by hour or by day. A report counts at most a fixed number of messages, the
 * newest ones, and says since when it counts. Nothing is written.
 */
import type { AccountId, DeviceId } from '@kurir/contracts';
import { isCode } from '../devices/priority.js';
import type { Database } from '../postgres/connect.js';
import { findSpanStart, type ReportSpan, type SpanStart } from './report-span.js';

/** One report counts at most so many messages. */
export const countedAtOnce = 500_000;
/** The latency of one-time codes is measured on about so many of them. */
const measuredAtOnce = 20_000;

type Counts = { readonly accepted: number; readonly delivered: number; readonly failed: number };
type Latency = { readonly count: number; readonly p50Ms: number | null; readonly p99Ms: number | null };

export type ReportPart = Counts & { readonly start: Date; readonly otp: Latency };
export type FailedFor = {
  /** The catalogue of reasons, `expired`, or null if none is known. */
  readonly reason: string | null;
  /** For each part, oldest first. */
  readonly counts: number[];
};

export type Report = {
  readonly parts: ReportPart[];
  readonly all: Counts;
  readonly otp: Latency;
  /** Null: all messages of the span are counted. */
  readonly countedSince: Date | null;
  /** Most frequent first. */
  readonly failedFor: FailedFor[];
  /** The device and the sender, each with most messages first. */
  readonly devices: (Counts & { readonly deviceId: DeviceId })[];
  /** A key's id. Null: people, through the dashboard. */
  readonly senders: (Counts & { readonly apiKey: string | null })[];
};

type CountRow = Counts & {
  /** The bits of GROUPING: which of the columns the row sums up. */
  readonly grouping: number;
  readonly part: number | null;
  readonly reason: string | null;
  readonly deviceId: DeviceId | null;
  readonly sender: string | null;
  readonly oldest: Date;
};

/** By the bits of GROUPING, which stand for part, reason, device and sender. */
const groupings = { all: 0b1111, parts: 0b0111, reasons: 0b0011, devices: 0b1101, senders: 0b1110 } as const;

const hasFailed = `status IN ('failed', 'expired')`;

/**
 * The messages of the span, newest first, and a few that are older: those have the part 0. `$2` is the first number, `$3` the
 * starts. A condition on the time would let Postgres read the messages of all accounts by the index of times.
 */
const counted = (columns: string) => `
  SELECT ${columns}, width_bucket(m.created_at, $3::timestamptz[]) AS part FROM messages m
  WHERE m.account_id = $1 AND m.seq >= $2 ORDER BY m.seq DESC LIMIT ${countedAtOnce}`;

const countColumns = `m.created_at, m.status, m.device_id, CASE WHEN m.key_id LIKE 'usr%' THEN NULL ELSE m.key_id END AS sender,
  CASE WHEN m.status = 'expired' THEN 'expired' WHEN m.status = 'failed' THEN m.reason END AS reason`;

const countMessages = `SELECT GROUPING (part, reason, device_id, sender) AS grouping, part, reason, device_id AS "deviceId", sender,
    count(*)::int AS accepted, count(*) FILTER (WHERE status IN ('delivered', 'read'))::int AS delivered,
    count(*) FILTER (WHERE ${hasFailed})::int AS failed, min(created_at) AS oldest
  FROM (${counted(countColumns)}) m WHERE part > 0
  GROUP BY GROUPING SETS ((), (part), (part, reason), (device_id), (sender))`;

/** From the acceptance of a one-time code to the acknowledgement of the network. */
const latency = `(SELECT extract(epoch FROM min(e.at) - coalesce(c.send_at, c.created_at)) * 1000 FROM message_events e
  WHERE e.message_id = c.id AND e.at >= c.created_at - interval '1 day' AND e.status IN ('sent', 'delivered', 'read'))`;

const percentile = (share: number) => `(percentile_cont(${share}) WITHIN GROUP (ORDER BY ms))::int`;

/** Measures each code, or every second, third … one, so that the number of measured codes stays about the same. */
const measureCodes = `WITH codes AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY seq) AS n, count(*) OVER () AS total
    FROM (${counted('m.id, m.seq, m.created_at, m.send_at, m.priority')}) c WHERE part > 0 AND ${isCode('c.priority')}),
  measured AS (SELECT part, ${latency} AS ms FROM codes c WHERE n % (1 + total / ${measuredAtOnce}) = 0)
  SELECT part, count(ms)::int AS count, ${percentile(0.5)} AS "p50Ms", ${percentile(0.99)} AS "p99Ms"
  FROM measured GROUP BY ROLLUP (part)`;

const nothing: Counts = { accepted: 0, delivered: 0, failed: 0 };
const unmeasured: Latency = { count: 0, p50Ms: null, p99Ms: null };
const countsOf = ({ accepted, delivered, failed }: Counts): Counts => ({ accepted, delivered, failed });

/** The reasons with a count for each part. A row without failures is left out. */
function reasonsOf(rows: readonly CountRow[], parts: number): FailedFor[] {
  const byReason = new Map<string | null, number[]>();
  for (const { reason, part, failed } of rows) {
    if (failed === 0 || part === null) continue;
    const counts = byReason.get(reason) ?? Array.from({ length: parts }, () => 0);
    counts[part - 1] = failed;
    byReason.set(reason, counts);
  }
  const total = ({ counts }: FailedFor) => counts.reduce((sum, count) => sum + count, 0);
  return [...byReason].map(([reason, counts]) => ({ reason, counts })).toSorted((a, b) => total(b) - total(a));
}

/** `width_bucket` numbers the parts from one on. */
async function readCounts(database: Database, accountId: AccountId, { starts, fromSeq }: SpanStart) {
  const { rows } = await database.lists.query<CountRow>(countMessages, [accountId, fromSeq, starts]);
  const rowsOf = (grouping: number) => rows.filter((row) => row.grouping === grouping);
  const byPart = new Map(rowsOf(groupings.parts).map((row) => [row.part, row]));
  const most = (a: Counts, b: Counts) => b.accepted - a.accepted;
  const [all] = rowsOf(groupings.all);
  return {
    byPart,
    all: countsOf(all ?? nothing),
    countedSince: all !== undefined && all.accepted >= countedAtOnce ? all.oldest : null,
    failedFor: reasonsOf(rowsOf(groupings.reasons), starts.length),
    devices: rowsOf(groupings.devices)
      .toSorted(most)
      .flatMap(({ deviceId, ...row }) => (deviceId === null ? [] : [{ deviceId, ...countsOf(row) }])),
    senders: rowsOf(groupings.senders)
      .toSorted(most)
      .map(({ sender, ...row }) => ({ apiKey: sender, ...countsOf(row) })),
  };
}

async function readLatencies(database: Database, accountId: AccountId, { starts, fromSeq }: SpanStart) {
  type Row = Latency & { part: number | null };
  const { rows } = await database.lists.query<Row>(measureCodes, [accountId, fromSeq, starts]);
  return new Map(rows.map(({ part, ...measured }) => [part, measured]));
}

export async function readReport(database: Database, accountId: AccountId, span: ReportSpan): Promise<Report> {
  const start = await findSpanStart(database, accountId, span);
  // One after the other: the pool of lists is small.
  const { byPart, ...counts } = await readCounts(database, accountId, start);
  const latencies = await readLatencies(database, accountId, start);
  return {
    ...counts,
    otp: latencies.get(null) ?? unmeasured,
    parts: start.starts.map((at, i) => ({
      start: at,
      ...countsOf(byPart.get(i + 1) ?? nothing),
      otp: latencies.get(i + 1) ?? unmeasured,
    })),
  };
}
