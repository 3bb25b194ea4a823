/**
 * Leases of devices. All times are those of the database. Taking a device raises its epoch, so each later write of an
 * earlier owner fails.
 */
import type { DeviceId } from '@kurir/contracts';
import { metrics } from '@kurir/metrics';
import { freeSince, needsOwner } from '../devices/device-condition.js';
import { isPaying } from '../devices/device-limits.js';
import type { Database } from '../postgres/connect.js';
import type { LeaseToken } from './lease-token.js';

/** A lease ends this long after its last renewal. */
export const leaseTtlMs = 15_000;

const ttl = `interval '${leaseTtlMs} milliseconds'`;

export type Lease = { readonly deviceId: DeviceId; readonly epoch: bigint };

type HeldRow = { device_id: DeviceId; epoch: bigint };
const heldDevice = (row: HeldRow): Lease => ({ deviceId: row.device_id, epoch: row.epoch });

/**
 * Epochs by device, as one value for lookups. With a join, Postgres may compare every lease with every element of the
 * list.
 */
const epochsOf = (held: readonly Lease[]) =>
  JSON.stringify(Object.fromEntries(held.map(({ deviceId, epoch }) => [deviceId, String(epoch)])));

/**
 * Marks the worker as alive and renews its leases. Returns those that it still holds. A worker without `capacity` is
 * about to stop and is not marked. A worker may have taken a lease without learning of it, if its connection broke.
 * That lease is not in `held`, so it ends and another worker takes the device.
 */
export async function renewLeases(
  database: Database,
  { owner, capacity }: { readonly owner: string; readonly capacity: number | null },
  held: readonly Lease[],
): Promise<Lease[]> {
  const { rows } = await database.pool.query<HeldRow>({
    name: 'renew-leases',
    text: `WITH alive AS (
             INSERT INTO worker_processes (id, capacity, expires_at)
             SELECT $1, $2::int, now() + ${ttl} WHERE $2::int IS NOT NULL
             ON CONFLICT (id) DO UPDATE SET capacity = excluded.capacity, expires_at = excluded.expires_at),
           gone AS (DELETE FROM worker_processes WHERE expires_at < now() - interval '1 hour')
           UPDATE device_leases l SET expires_at = now() + ${ttl}
           WHERE l.owner = $1 AND l.expires_at > now() AND l.epoch::text = $3::jsonb ->> l.device_id
           RETURNING l.device_id, l.epoch`,
    values: [owner, capacity, epochsOf(held)],
  });
  return rows.map(heldDevice);
}

export type FairShare = {
  /** The number of devices for each worker if all live workers hold about the same, rounded up. */
  readonly share: number;
  /** Another live worker holds fewer and has room. */
  readonly othersHaveRoom: boolean;
};

export async function readFairShare(database: Database, owner: string): Promise<FairShare> {
  const { rows } = await database.pool.query<{ share: number; others_have_room: boolean }>({
    name: 'read-fair-share',
    text: `WITH alive AS (SELECT id, capacity FROM worker_processes WHERE expires_at > now()),
           fair AS (
             SELECT ceil((SELECT count(*) FROM devices d WHERE ${needsOwner})::numeric
                         / GREATEST(1, (SELECT count(*) FROM alive)))::int AS share),
           held AS (SELECT owner, count(*)::int AS n FROM device_leases WHERE expires_at > now() AND owner IS NOT NULL GROUP BY owner)
           SELECT fair.share, EXISTS (
             SELECT 1 FROM alive LEFT JOIN held ON held.owner = alive.id
             WHERE alive.id <> $1 AND coalesce(held.n, 0) < LEAST(alive.capacity, fair.share)) AS others_have_room
           FROM fair`,
    values: [owner],
  });
  const [row] = rows;
  return { share: row?.share ?? 0, othersHaveRoom: row?.others_have_room === true };
}

/** Any worker with room takes a device that has been free for this long, also beyond the fair share. */
const overdueMs = 3_000;

/**
 * Takes free devices up to the fair share, and overdue ones up to the capacity. Two workers never take the same device.
 * `holding` is the number of devices that the worker has. Devices of paying accounts come first. Then the account comes first
 * that holds the fewest places, so that one account with many devices does not keep out the others.
 */
export async function takeLeases(
  database: Database,
  owner: string,
  holding: number,
  share: number,
  capacity: number,
): Promise<Lease[]> {
  const room = capacity - holding;
  if (room <= 0) return [];
  const { rows } = await database.pool.query<HeldRow & { abandoned: boolean }>({
    name: 'take-leases',
    text: `WITH waiting AS MATERIALIZED (
             SELECT l.device_id, d.account_id, ${freeSince} AS free_since
             FROM device_leases l JOIN devices d ON d.id = l.device_id
             WHERE (l.owner IS NULL OR l.expires_at <= now()) AND ${needsOwner}),
           accounts_waiting AS (
             SELECT a.account_id, ${isPaying('a.account_id')} AS pays, (
               SELECT count(*) FROM devices d JOIN device_leases l ON l.device_id = d.id
               WHERE d.account_id = a.account_id AND l.owner IS NOT NULL AND l.expires_at > now()) AS places
             FROM (SELECT DISTINCT account_id FROM waiting) a),
           placed AS (
             SELECT device_id, free_since, pays,
               places + row_number() OVER (PARTITION BY account_id ORDER BY free_since) AS place
             FROM waiting JOIN accounts_waiting USING (account_id)),
           ranked AS (
             SELECT device_id, free_since, row_number() OVER (ORDER BY NOT pays, place, free_since) AS rank
             FROM placed ORDER BY NOT pays, place, free_since LIMIT $3),
           free AS (
             SELECT l.device_id, l.owner, l.expires_at FROM device_leases l JOIN ranked USING (device_id)
             WHERE (ranked.rank <= $2 OR ranked.free_since < now() - interval '${overdueMs} milliseconds')
               AND (l.owner IS NULL OR l.expires_at <= now())
             FOR UPDATE OF l SKIP LOCKED),
           reconnecting AS (
             UPDATE devices d SET state = 'connecting', state_reason = NULL, state_at = now(),
                    last_connected_at = LEAST(free.expires_at, now())
             FROM free WHERE d.id = free.device_id AND d.state = 'connected')
           UPDATE device_leases l SET owner = $1, epoch = l.epoch + 1, expires_at = now() + ${ttl}
           FROM free WHERE l.device_id = free.device_id RETURNING l.device_id, l.epoch, free.owner IS NOT NULL AS abandoned`,
    values: [owner, Math.max(0, Math.min(share, capacity) - holding), room],
  });
  for (const { abandoned } of rows) metrics.leasesTaken.add({ from: abandoned ? 'dead_worker' : 'nobody' });
  return rows.map(heldDevice);
}

/** Counts the devices that no worker has held for `forMs`. All workers may be full, or none may run. */
export async function countWaitingDevices(database: Database, forMs: number): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>({
    name: 'count-waiting-devices',
    text: `SELECT count(*)::int AS n FROM device_leases l JOIN devices d ON d.id = l.device_id
           WHERE (l.owner IS NULL OR l.expires_at <= now()) AND ${needsOwner}
             AND ${freeSince} < now() - make_interval(secs => $1 / 1000.0)`,
    values: [forMs],
  });
  return rows[0]?.n ?? 0;
}

/**
 * The devices of this worker that make room: those of accounts that do not pay. They do so while a device of a paying
 * account finds no place, and no worker has room. First come devices that are being linked, then those of accounts with the
 * most places. At most one for each waiting device.
 */
export async function readGivingWay(database: Database, owner: string, limit: number): Promise<DeviceId[]> {
  const { rows } = await database.pool.query<{ device_id: DeviceId }>({
    name: 'read-giving-way',
    text: `WITH waiting AS (
             SELECT count(*) AS n FROM device_leases l JOIN devices d ON d.id = l.device_id
             WHERE (l.owner IS NULL OR l.expires_at <= now()) AND ${needsOwner} AND ${isPaying('d.account_id')}
               AND ${freeSince} < now() - interval '${overdueMs} milliseconds'),
           room AS (
             SELECT coalesce(sum(GREATEST(0, w.capacity - (
               SELECT count(*) FROM device_leases l WHERE l.owner = w.id AND l.expires_at > now()))), 0) AS n
             FROM worker_processes w WHERE w.expires_at > now()),
           held AS (
             SELECT l.device_id, d.state, count(*) OVER (PARTITION BY d.account_id) AS places
             FROM device_leases l JOIN devices d ON d.id = l.device_id
             WHERE l.owner = $1 AND l.expires_at > now() AND NOT ${isPaying('d.account_id')})
           SELECT device_id FROM held, waiting, room WHERE waiting.n > room.n
           ORDER BY held.state <> 'pairing', places DESC, device_id
           LIMIT LEAST($2::bigint, (SELECT GREATEST(0, waiting.n - room.n) FROM waiting, room))`,
    values: [owner, limit],
  });
  return rows.map((row) => row.device_id);
}

/** Releases devices, so that other workers can take them at once. Leases that the worker has lost stay as they are. */
export async function releaseLeases(database: Database, tokens: readonly LeaseToken[]): Promise<void> {
  await database.pool.query({
    name: 'release-leases',
    text: `WITH freed AS (
             UPDATE device_leases l SET owner = NULL, expires_at = now()
             WHERE l.device_id = ANY ($1::text[]) AND l.owner = ANY ($2::text[]) AND l.epoch::text = $3::jsonb ->> l.device_id
             RETURNING l.device_id)
           UPDATE devices d SET state = 'connecting', state_at = now(), last_connected_at = now()
           FROM freed WHERE d.id = freed.device_id AND d.state = 'connected'`,
    values: [tokens.map((token) => token.deviceId), [...new Set(tokens.map((token) => token.owner))], epochsOf(tokens)],
  });
}

/** Removes a worker that stops, so that the fair share of the others grows at once. */
export async function forgetWorker(database: Database, owner: string): Promise<void> {
  await database.pool.query('DELETE FROM worker_processes WHERE id = $1', [owner]);
}

/** The worker that holds the device now, or null. */
export async function readLeaseOwner(database: Database, deviceId: DeviceId): Promise<string | null> {
  const { rows } = await database.pool.query<{ owner: string }>({
    name: 'read-lease-owner',
    text: `SELECT owner FROM device_leases WHERE device_id = $1 AND owner IS NOT NULL AND expires_at > now()`,
    values: [deviceId],
  });
  return rows[0]?.owner ?? null;
}
