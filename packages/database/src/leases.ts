/**
 * Who holds which device. All times are the database's. Taking a device raises its epoch; every later write of
 * an earlier holder fails on that. Nothing here can be done twice with effect: a device has one row.
 */
import type { DeviceId } from '@kurir/contracts';
import type { Holder } from './claim-message.js';
import type { Database } from './connect.js';
import { needsOwner } from './device-condition.js';

/** A lease ends this long after its last renewal. */
export const leaseTtlMs = 15_000;

const ttl = `interval '${leaseTtlMs} milliseconds'`;

export type HeldDevice = { readonly deviceId: DeviceId; readonly epoch: bigint };

type HeldRow = { device_id: DeviceId; epoch: bigint };
const heldDevice = (row: HeldRow): HeldDevice => ({ deviceId: row.device_id, epoch: row.epoch });

/** Says that the worker lives, and renews all its leases that have not run out. Answers those that it still holds. */
export async function renewLeases(database: Database, owner: string, capacity: number): Promise<HeldDevice[]> {
  const { rows } = await database.pool.query<HeldRow>({
    name: 'renew-leases',
    text: `WITH alive AS (
             INSERT INTO worker_heartbeats (id, capacity, expires_at) VALUES ($1, $2, now() + ${ttl})
             ON CONFLICT (id) DO UPDATE SET capacity = excluded.capacity, expires_at = excluded.expires_at),
           gone AS (DELETE FROM worker_heartbeats WHERE expires_at < now() - interval '1 hour')
           UPDATE device_leases SET expires_at = now() + ${ttl}
           WHERE owner = $1 AND expires_at > now() RETURNING device_id, epoch`,
    values: [owner, capacity],
  });
  return rows.map(heldDevice);
}

/** How many devices a worker should hold so that all have about the same: all devices by all live workers, rounded up. */
export async function readFairShare(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ devices: number; workers: number }>({
    name: 'read-fair-share',
    text: `SELECT (SELECT count(*)::int FROM devices d WHERE ${needsOwner}) AS devices,
                  (SELECT count(*)::int FROM worker_heartbeats WHERE expires_at > now()) AS workers`,
  });
  const [row] = rows;
  return row === undefined ? 0 : Math.ceil(row.devices / Math.max(1, row.workers));
}

/** Takes up to `limit` free devices. Concurrent workers never get the same one. */
export async function takeLeases(database: Database, owner: string, limit: number): Promise<HeldDevice[]> {
  if (limit <= 0) return [];
  const { rows } = await database.pool.query<HeldRow>({
    name: 'take-leases',
    text: `WITH free AS (
             SELECT l.device_id, l.expires_at FROM device_leases l JOIN devices d ON d.id = l.device_id
             WHERE (l.owner IS NULL OR l.expires_at <= now()) AND ${needsOwner}
             ORDER BY l.expires_at LIMIT $2 FOR UPDATE OF l SKIP LOCKED),
           reconnecting AS (
             UPDATE devices d SET state = 'connecting', state_reason = NULL, state_at = now(),
                    last_connected_at = LEAST(free.expires_at, now())
             FROM free WHERE d.id = free.device_id AND d.state = 'connected')
           UPDATE device_leases l SET owner = $1, epoch = l.epoch + 1, expires_at = now() + ${ttl}
           FROM free WHERE l.device_id = free.device_id RETURNING l.device_id, l.epoch`,
    values: [owner, limit],
  });
  return rows.map(heldDevice);
}

/** Gives devices back so that another worker can take them at once. What is no longer ours is left alone. */
export async function releaseLeases(database: Database, holders: readonly Holder[]): Promise<void> {
  await database.pool.query({
    name: 'release-leases',
    text: `WITH freed AS (
             UPDATE device_leases l SET owner = NULL, expires_at = now()
             FROM unnest($1::text[], $2::text[], $3::bigint[]) AS t (device_id, owner, epoch)
             WHERE l.device_id = t.device_id AND l.owner = t.owner AND l.epoch = t.epoch RETURNING l.device_id)
           UPDATE devices d SET state = 'connecting', state_at = now(), last_connected_at = now()
           FROM freed WHERE d.id = freed.device_id AND d.state = 'connected'`,
    values: [
      holders.map((holder) => holder.deviceId),
      holders.map((holder) => holder.owner),
      holders.map((holder) => holder.epoch),
    ],
  });
}

/** The worker is going: the others' fair share grows at once. */
export async function forgetWorker(database: Database, owner: string): Promise<void> {
  await database.pool.query('DELETE FROM worker_heartbeats WHERE id = $1', [owner]);
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
