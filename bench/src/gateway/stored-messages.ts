/** What the product has stored, read in Postgres: no figure counts without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { priorityRanks } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import type { LaneMessage } from './lanes.js';
import type { MeasuredGateway } from './measured-gateway.js';

/** Within this time lanes that find nothing stored come to rest. */
const comesToRestMs = 1_500;

/** Makes each run begin alike: no stored message, no lane. One whose job is taken from under it stands still for long. */
export async function forgetMessages({ database, lanes }: MeasuredGateway): Promise<void> {
  await database.pool.query('TRUNCATE messages, message_contents, message_events_before_log, events, request_keys');
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

/**
 * Each lane and priority with a waiting message must have a ticket. True when all have theirs.
 */
export async function areLanesCovered({
  database,
  lanes,
}: Pick<MeasuredGateway, 'database' | 'lanes'>): Promise<boolean> {
  const { rows } = await database.pool.query<LaneMessage>(
    `SELECT DISTINCT device_id AS "deviceId", priority FROM messages WHERE status = 'queued'`,
  );
  return (await lanes.withoutTicket(rows)).length === 0;
}

/** Rejects when what was answered with 200 is not what is stored. */
export async function checkStored(database: Database, answered: number): Promise<void> {
  const stored = await countMessages(database);
  if (stored !== answered) throw new Error(`${answered} messages were answered as accepted, ${stored} are stored`);
}

/** Rejects when a message that was read has a state before that of which nothing is stored. */
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

/** By two looks at indexes. Counting all rows five times a second took a seventh of Postgres' time while it was measured. */
async function isAnyUnsent({ pool }: Database, priority: number | null = null): Promise<boolean> {
  const { rows } = await pool.query<{ unsent: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM messages WHERE stage = 0 AND waits_until IS NULL AND ($1::int IS NULL OR priority = $1))
         OR EXISTS (SELECT 1 FROM messages WHERE stage = 1 AND ($1::int IS NULL OR priority = $1)) AS unsent`,
    [priority],
  );
  return rows[0]?.unsent === true;
}

/** Resolves once so many messages stand in this status, one that follows upon `sent`; they are counted when all are sent. */
export async function untilAllAre(database: Database, status: 'delivered' | 'read', messages: number): Promise<void> {
  const done = async () => !(await isAnyUnsent(database)) && (await countMessages(database, [status])) === messages;
  await waitUntil(done, { what: `${messages} messages are ${status}`, timeoutMs: allWithinMs, everyMs: 200 });
}

const sentWithinMs = 60_000;

export async function untilOtpsAreSent({ database }: MeasuredGateway): Promise<void> {
  const allSent = async () => !(await isAnyUnsent(database, priorityRanks.otp));
  await waitUntil(allSent, { what: 'all otps are sent', timeoutMs: sentWithinMs, everyMs: 100 });
}

/** Milliseconds from an otp's acceptance to the network's acknowledgement, as both are stored; NaN of none. */
export type OtpTimes = { readonly p50: number; readonly p99: number };

/** Of the otps that were accepted `since` then, by the database's clock; null: of all. Those not sent yet are not in it. */
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
