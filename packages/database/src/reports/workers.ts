import type { AccountId, DeviceId, DeviceState } from '@kurir/contracts';
import { needsOwner, shownState } from '../devices/device-condition.js';
import type { Database } from '../postgres/connect.js';

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

/** The workers of the last hour, each with its devices, and the number of devices without a worker. */
export async function readWorkers(database: Database): Promise<{ workers: WorkerRow[]; waitingForWorker: number }> {
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
