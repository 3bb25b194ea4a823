/**
 * Who holds which device. All times are the database's. Taking a device raises its epoch; every later write of
 * an earlier holder fails on that. Nothing here can be done twice with effect: a device has one row.
 */
import type { DeviceId } from '@kurir/contracts';
import { needsOwner } from '../devices/device-condition.js';
import type { Database } from '../postgres/connect.js';
import type { LeaseToken } from './lease-token.js';

/** A lease ends this long after its last renewal. */
export const leaseTtlMs = 15_000;

const ttl = `interval '${leaseTtlMs} milliseconds'`;

export type HeldDevice = { readonly deviceId: DeviceId; readonly epoch: bigint };

type HeldRow = { device_id: DeviceId; epoch: bigint };
const heldDevice = (row: HeldRow): HeldDevice => ({ deviceId: row.device_id, epoch: row.epoch });

/**
 * Device to epoch, as one value to look up in. Joined with a list, n leases are n × n comparisons as soon as the planner
 * believes that few of them run: 57 ms for 500, measured, and a hundred times that for 5,000.
 */
const epochsOf = (held: readonly HeldDevice[]) =>
  JSON.stringify(Object.fromEntries(held.map(({ deviceId, epoch }) => [deviceId, String(epoch)])));

/**
 * Says that the worker lives, and renews the given leases where they are still its own. Returns those. A worker without
 * `capacity` is about to stop and does not sign on. A lease that the
 * worker took without learning of it (the connection broke) is not given here: it runs out, and somebody takes it.
 */
export async function renewLeases(
  database: Database,
  { owner, capacity }: { readonly owner: string; readonly capacity: number | null },
  held: readonly HeldDevice[],
): Promise<HeldDevice[]> {
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
  /** Devices that each worker should hold so that all have about the same: all by all live workers, rounded up. */
  readonly share: number;
  /** Another live worker holds fewer than that and could take more. */
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

/** A device that has been free for so long is taken by whoever has room, beyond the fair share. */
const overdueMs = 3_000;
/** Since when nobody holds it although somebody should: the end of its last lease, or the wish to link it. */
const freeSince = `CASE WHEN d.state = 'pairing' THEN GREATEST(l.expires_at, d.state_at) ELSE l.expires_at END`;

/**
 * Takes free devices up to the fair share, and overdue ones up to the capacity. Concurrent workers never get the
 * same one. `holding`: how many the worker has.
 */
export async function takeLeases(
  database: Database,
  owner: string,
  holding: number,
  share: number,
  capacity: number,
): Promise<HeldDevice[]> {
  const room = capacity - holding;
  if (room <= 0) return [];
  const { rows } = await database.pool.query<HeldRow>({
    name: 'take-leases',
    text: `WITH ranked AS (
             SELECT l.device_id, ${freeSince} AS free_since, row_number() OVER (ORDER BY ${freeSince}) AS rank
             FROM device_leases l JOIN devices d ON d.id = l.device_id
             WHERE (l.owner IS NULL OR l.expires_at <= now()) AND ${needsOwner} ORDER BY free_since LIMIT $3),
           free AS (
             SELECT l.device_id, l.expires_at FROM device_leases l JOIN ranked USING (device_id)
             WHERE (ranked.rank <= $2 OR ranked.free_since < now() - interval '${overdueMs} milliseconds')
               AND (l.owner IS NULL OR l.expires_at <= now())
             FOR UPDATE OF l SKIP LOCKED),
           reconnecting AS (
             UPDATE devices d SET state = 'connecting', state_reason = NULL, state_at = now(),
                    last_connected_at = LEAST(free.expires_at, now())
             FROM free WHERE d.id = free.device_id AND d.state = 'connected')
           UPDATE device_leases l SET owner = $1, epoch = l.epoch + 1, expires_at = now() + ${ttl}
           FROM free WHERE l.device_id = free.device_id RETURNING l.device_id, l.epoch`,
    values: [owner, Math.max(0, Math.min(share, capacity) - holding), room],
  });
  return rows.map(heldDevice);
}

/** Gives devices back so that another worker can take them at once. What is no longer ours is left alone. */
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

/** The worker is going: the others' fair share grows at once. */
export async function forgetWorker(database: Database, owner: string): Promise<void> {
  await database.pool.query('DELETE FROM worker_processes WHERE id = $1', [owner]);
}

/** Who holds a device now; null when nobody does. */
export async function readLeaseOwner(database: Database, deviceId: DeviceId): Promise<string | null> {
  const { rows } = await database.pool.query<{ owner: string }>({
    name: 'read-lease-owner',
    text: `SELECT owner FROM device_leases WHERE device_id = $1 AND owner IS NOT NULL AND expires_at > now()`,
    values: [deviceId],
  });
  return rows[0]?.owner ?? null;
}
