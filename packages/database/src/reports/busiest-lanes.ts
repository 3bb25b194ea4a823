import { type AccountId, type DeviceId, priorityRanks } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type LaneRow = {
  readonly deviceId: DeviceId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly otp: number;
  readonly normal: number;
  readonly bulk: number;
  readonly sending: number;
  readonly oldestWaitingAt: Date | null;
};

/**
 * Messages in the lane, messages that wait outside it, and messages in `sending`; each place has its own index.
 * Scheduled messages do not count yet.
 */
const inStages = [
  'stage = 0 AND waits_until IS NULL',
  'stage = 0 AND waits_until IS NOT NULL AND (send_at IS NULL OR send_at <= now())',
  'stage = 1',
].map((where) => `SELECT device_id, priority, stage, created_at FROM messages WHERE ${where}`);

/** The lanes with the largest backlogs. The cost grows with the number of waiting messages. */
export async function readBusiestLanes(database: Database, limit: number): Promise<LaneRow[]> {
  const { rows } = await database.pool.query<LaneRow>(
    `WITH unfinished AS (${inStages.join(' UNION ALL ')}),
     lanes AS (
       SELECT device_id, count(*) FILTER (WHERE priority = ${priorityRanks.otp} AND stage = 0)::int AS otp,
              count(*) FILTER (WHERE priority = ${priorityRanks.normal} AND stage = 0)::int AS normal,
              count(*) FILTER (WHERE priority = ${priorityRanks.bulk} AND stage = 0)::int AS bulk,
              count(*) FILTER (WHERE stage = 1)::int AS sending,
              min(created_at) FILTER (WHERE stage = 0) AS oldest
       FROM unfinished GROUP BY device_id ORDER BY count(*) DESC LIMIT $1)
     SELECT d.id AS "deviceId", d.account_id AS "accountId", d.name, u.otp, u.normal, u.bulk, u.sending,
            u.oldest AS "oldestWaitingAt"
     FROM lanes u JOIN devices d ON d.id = u.device_id ORDER BY u.otp + u.normal + u.bulk + u.sending DESC, d.id`,
    [limit],
  );
  return rows;
}
