/** What an operator sees of accounts, workers and lanes. */
import { type AccountId, type DeviceId, type DeviceState, priorityRanks } from '@kurir/contracts';
import type { Database } from './connect.js';
import { needsOwner, shownState } from './device-condition.js';

export type AccountOverviewRow = {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Date;
  readonly members: number;
  readonly devices: number;
  readonly connectedDevices: number;
  readonly plan: string | null;
  readonly expiresAt: Date | null;
  readonly messages24h: number;
};

/** Newest first; `search` is an id, part of a name, or part of a member's address. With `accountId`, that one. */
export async function listAccountOverviews(
  database: Database,
  filter: {
    readonly search: string | null;
    readonly limit: number;
    readonly cursor: string | null;
    readonly accountId?: string;
  },
): Promise<{ readonly rows: AccountOverviewRow[]; readonly nextCursor: string | null }> {
  const { rows } = await database.lists.query<AccountOverviewRow>(
    `SELECT a.id, a.name, a.created_at AS "createdAt",
       (SELECT count(*)::int FROM members WHERE account_id = a.id) AS members, held.devices,
       held.connected AS "connectedDevices", p.plan_name AS plan, p.ends_at AS "expiresAt",
       (SELECT count(*)::int FROM (SELECT 1 FROM messages m WHERE m.account_id = a.id AND m.created_at > now() - interval '24 hours'
          LIMIT 1000000) lately) AS "messages24h"
     FROM accounts a
     CROSS JOIN LATERAL (SELECT count(*)::int AS devices, count(*) FILTER (WHERE ${shownState} = 'connected')::int AS connected
       FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.account_id = a.id) held
     LEFT JOIN LATERAL (SELECT plan_name, ends_at FROM subscription_periods WHERE account_id = a.id
       ORDER BY ends_at DESC LIMIT 1) p ON true
     WHERE ($1::text IS NULL OR a.id = $1 OR strpos(lower(a.name), lower($1)) > 0 OR EXISTS (
             SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
             WHERE m.account_id = a.id AND strpos(lower(u.email), lower($1)) > 0))
       AND ($2::text IS NULL OR a.id < $2) AND ($4::text IS NULL OR a.id = $4)
     ORDER BY a.id DESC LIMIT $3 + 1`,
    [filter.search, filter.cursor, filter.limit, filter.accountId ?? null],
  );
  const shown = rows.slice(0, filter.limit);
  return { rows: shown, nextCursor: rows.length > filter.limit ? (shown.at(-1)?.id ?? null) : null };
}

export type HeldDeviceRow = {
  readonly deviceId: DeviceId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly network: string;
  readonly state: DeviceState;
  readonly epoch: bigint;
  readonly leaseUntil: Date;
};

export type WorkerRow = {
  readonly id: string;
  readonly capacity: number;
  readonly alive: boolean;
  readonly expiresAt: Date;
  readonly devices: HeldDeviceRow[];
};

/** Workers that said a word within the hour, each with what it holds, and how many devices wait for one. */
export async function readFleet(database: Database): Promise<{ workers: WorkerRow[]; waitingForWorker: number }> {
  const [workers, held, waiting] = await Promise.all([
    database.pool.query<Omit<WorkerRow, 'devices'>>(
      `SELECT id, capacity, expires_at > now() AS alive, expires_at AS "expiresAt" FROM worker_processes ORDER BY id`,
    ),
    database.pool.query<HeldDeviceRow & { owner: string }>(
      `SELECT l.owner, d.id AS "deviceId", d.account_id AS "accountId", d.name, d.network, ${shownState} AS state, l.epoch,
              l.expires_at AS "leaseUntil"
       FROM device_leases l JOIN devices d ON d.id = l.device_id
       WHERE l.owner IS NOT NULL AND l.expires_at > now() ORDER BY d.id`,
    ),
    database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM devices d JOIN device_leases l ON l.device_id = d.id
       WHERE ${needsOwner} AND (l.owner IS NULL OR l.expires_at <= now())`,
    ),
  ]);
  return {
    workers: workers.rows.map((worker) => ({ ...worker, devices: held.rows.filter((row) => row.owner === worker.id) })),
    waitingForWorker: waiting.rows[0]?.n ?? 0,
  };
}

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

/** In a lane, held beside it, and on its way: each has an index of its own. What is scheduled does not wait yet. */
const inStages = [
  'stage = 0 AND waits_until IS NULL',
  'stage = 0 AND waits_until IS NOT NULL AND (send_at IS NULL OR send_at <= now())',
  'stage = 1',
].map((where) => `SELECT device_id, priority, stage, created_at FROM messages WHERE ${where}`);

/** The lanes with the most waiting. Counts over what waits, so its cost is that of the backlog. */
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
