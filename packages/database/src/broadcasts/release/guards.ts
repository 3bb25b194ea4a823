/**
 * A broadcast pauses by itself if too many of the latest messages of one device failed, or too many of their recipients
 * opted out. Both endanger the device's number. Messages that were released before somebody resumed do not count again.
 */
import { type DeviceId, limits, messageStatuses } from '@kurir/contracts';
import type pg from 'pg';
import type { LockedBroadcast, Tripped } from '../state/broadcast-state.js';

const latest = limits.guardOutcomes;
/** A single person is no sign. */
const leastCount = 2;

const countAt = (percent: number | null) =>
  percent === null ? null : Math.max(leastCount, Math.ceil((latest * percent) / 100));

const outcomes = messageStatuses.filter((status) => !['queued', 'sending', 'cancelled'].includes(status));

/** Over `messages m` of `o`: the recipient opted out after it. */
const optedOut = `EXISTS (SELECT FROM suppressions s WHERE s.account_id = $3 AND s.recipient = o.recipient
  AND s.reason IN ('keyword', 'complaint') AND s.created_at >= greatest($4::timestamptz, o.created_at))`;

/** The latest outcomes of each device. Each status has its place in the index, so no other messages are read. */
const statement = `
  SELECT * FROM (
    SELECT d.id AS "deviceId", count(*) FILTER (WHERE o.status = 'failed' AND o.reason IS DISTINCT FROM 'device_unlinked')::int AS failed,
      count(*) FILTER (WHERE $6::int IS NOT NULL AND ${optedOut})::int AS opted_out
    FROM unnest($2::text[]) AS d (id) CROSS JOIN LATERAL (
      SELECT m.* FROM unnest($7::text[]) AS of (status) CROSS JOIN LATERAL (
        SELECT seq, status, reason, recipient, created_at FROM messages
        WHERE broadcast_id = $1 AND status = of.status AND device_id = d.id ORDER BY seq DESC LIMIT ${latest}) m
      ORDER BY m.seq DESC LIMIT ${latest}) o
    WHERE $4::timestamptz IS NULL OR o.created_at >= $4 GROUP BY d.id) counted
  WHERE failed >= $5::int OR opted_out >= $6 ORDER BY "deviceId" LIMIT 1`;

type Counted = { readonly deviceId: DeviceId; readonly failed: number; readonly opted_out: number };

/** Null: no guard has tripped. */
export async function findTripped(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<Tripped | null> {
  const { id, accountId, deviceIds, guardSince } = broadcast;
  const [failedAt, optedOutAt] = [countAt(broadcast.guardFailed), countAt(broadcast.guardOptedOut)];
  if (failedAt === null && optedOutAt === null) return null;
  const { rows } = await client.query<Counted>({
    name: 'find-tripped',
    text: statement,
    values: [id, deviceIds, accountId, guardSince, failedAt, optedOutAt, outcomes],
  });
  const [found] = rows;
  if (found === undefined) return null;
  const what = failedAt !== null && found.failed >= failedAt ? 'failed' : 'opted_out';
  return { what, deviceId: found.deviceId, count: found[what] };
}
