/** Reads in Postgres what the gateway has stored. Every figure of a run is checked against it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { priorityRanks } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import type { LaneMessage } from './lanes.js';
import type { MeasuredGateway } from './measured-gateway.js';

/** Lanes that find no message in the database stop within this time. */
const comesToRestMs = 1_500;

/**
 * Deletes all messages, then all lanes, so that every run starts from the same state. The lanes must stop first: a lane
 * whose ticket is removed while it runs stalls for a long time.
 */
export async function forgetMessages({ database, lanes }: MeasuredGateway): Promise<void> {
  await database.pool.query(
    `TRUNCATE messages, message_contents, message_events_before_log, events, request_keys, broadcasts, broadcast_recipients, broadcast_audiences`,
  );
  await database.pool.query('UPDATE subscription_periods SET reserved_quota = 0 WHERE reserved_quota > 0');
  await sleep(comesToRestMs);
  await lanes.clear();
}

export async function countMessages(database: Database, statuses?: readonly string[]): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE $1::text[] IS NULL OR status = ANY ($1)`,
    [statuses ?? null],
  );
  return rows[0]?.n ?? 0;
}

/** True if each lane has a ticket for each priority of its waiting messages. */
export async function areLanesCovered({
  database,
  lanes,
}: Pick<MeasuredGateway, 'database' | 'lanes'>): Promise<boolean> {
  const { rows } = await database.pool.query<LaneMessage>(
    `SELECT DISTINCT device_id AS "deviceId", priority FROM messages WHERE status = 'queued'`,
  );
  return (await lanes.withoutTicket(rows)).length === 0;
}

/** Rejects if the number of stored messages differs from `answered`, the number of requests that got status 200. */
export async function checkStored(database: Database, answered: number): Promise<void> {
  const stored = await countMessages(database);
  if (stored !== answered) throw new Error(`${answered} messages were answered as accepted, ${stored} are stored`);
}

/** Rejects if a message lacks the stored event of any state up to `read`. */
export async function checkStates({ pool }: Database, messages: number): Promise<void> {
  const { rows } = await pool.query<{ status: string; n: number }>(
    'SELECT status, count(DISTINCT message_id)::int AS n FROM message_events GROUP BY status',
  );
  const stored = new Map(rows.map(({ status, n }) => [status, n]));
  for (const status of ['sending', 'sent', 'delivered', 'read'])
    if (stored.get(status) !== messages)
      throw new Error(`of ${messages} messages ${stored.get(status) ?? 0} have a stored ${status}`);
}

const allWithinMs = 120_000;

/** Looks into two indexes. Counting all rows this often would use a large part of Postgres' time during the run. */
async function isAnyUnsent({ pool }: Database, priority: number | null = null): Promise<boolean> {
  const { rows } = await pool.query<{ unsent: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM messages WHERE stage = 0 AND waits_until IS NULL AND ($1::int IS NULL OR priority = $1))
         OR EXISTS (SELECT 1 FROM messages WHERE stage = 1 AND ($1::int IS NULL OR priority = $1)) AS unsent`,
    [priority],
  );
  return rows[0]?.unsent === true;
}

/**
 * Resolves when `messages` messages have this status. It counts them only when no message is unsent, because both
 * statuses come after `sent`.
 */
export async function untilAllAre(database: Database, status: 'delivered' | 'read', messages: number): Promise<void> {
  const done = async () => !(await isAnyUnsent(database)) && (await countMessages(database, [status])) === messages;
  await waitUntil(done, { what: `${messages} messages are ${status}`, timeoutMs: allWithinMs, everyMs: 200 });
}

const sentWithinMs = 60_000;

export async function untilOtpsAreSent({ database }: MeasuredGateway): Promise<void> {
  const allSent = async () => !(await isAnyUnsent(database, priorityRanks.otp));
  await waitUntil(allSent, { what: 'all otps are sent', timeoutMs: sentWithinMs, everyMs: 100 });
}

/**
 * Milliseconds from the acceptance of a one-time code to its acknowledgement, both as stored; NaN if there are none.
 */
export type OtpTimes = { readonly p50: number; readonly p99: number };

/**
 * Counts the one-time codes that were accepted after `since`, by the database's clock, and that are sent. Null counts
 * all.
 */
export async function otpTimes({ database }: MeasuredGateway, since: Date | null = null): Promise<OtpTimes> {
  const { rows } = await database.pool.query<{ p50: number | null; p99: number | null }>(
    `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS p99
     FROM (SELECT extract(epoch FROM e.at - m.created_at)::float8 * 1000 AS ms FROM messages m
           JOIN message_events e ON e.message_id = m.id AND e.status = 'sent'
           WHERE m.priority = $1 AND m.created_at >= coalesce($2::timestamptz, '-infinity')) t`,
    [priorityRanks.otp, since],
  );
  return { p50: rows[0]?.p50 ?? Number.NaN, p99: rows[0]?.p99 ?? Number.NaN };
}

export async function databaseNow({ database }: MeasuredGateway): Promise<Date> {
  const { rows } = await database.pool.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now ?? new Date(Number.NaN);
}
