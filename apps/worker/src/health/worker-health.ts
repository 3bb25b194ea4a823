/** Whether a worker can do its work, and which part of it is missing. */
import type { WorkerRole } from '@kurir/config';
import { countWaitingDevices, type Database, pingDatabase } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { type QueueConnection, readRedisState, type RedisState } from '@kurir/queue';
import type { DeviceSupervisor } from '../devices/device-supervisor.js';
import { repeat } from '../sweep/chores.js';

/** The fields of the answer of `/health/ready`. */
export type WorkerHealth = {
  readonly ok: boolean;
  readonly roles: readonly WorkerRole[];
  /** `down`: Postgres does not answer, or may only be read. */
  readonly database: 'up' | 'down';
  /** Only a worker with the role `devices` is not ready without Redis: the others read Postgres. */
  readonly redis: RedisState;
} & Partial<DeviceHealth>;

/** The fields of a worker with the role `devices`. */
type DeviceHealth = {
  /** `stale`: the worker could not renew them for so long that another worker may have its devices. */
  readonly leases: 'renewed' | 'stale';
  /** `waiting` counts the devices of the whole service that no worker has taken for a while. */
  readonly devices: { readonly held: number; readonly capacity: number; readonly waiting: number };
};

/** A device is free for a moment at each start and hand-over. */
const waitingAfterMs = 30_000;
const countEveryMs = 30_000;

export type HealthParts = {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly roles: readonly WorkerRole[];
  /** Null without the role `devices`. */
  readonly held: { readonly supervisor: DeviceSupervisor; readonly capacity: number } | null;
  readonly log: Logger;
};

/** Counts the devices that wait, and warns of them. A full worker is ready, because it does its work. */
function watchDevices({ database, log }: HealthParts, { supervisor, capacity }: NonNullable<HealthParts['held']>) {
  let waiting = 0;
  const count = async () => {
    waiting = await countWaitingDevices(database, waitingAfterMs);
    if (waiting > 0)
      log.warn(
        { waiting, held: supervisor.size, capacity },
        'devices wait for a worker: start another one, or raise KURIR_WORKER_CAPACITY',
      );
  };
  return {
    read: (): DeviceHealth => ({
      leases: supervisor.isStale() ? 'stale' : 'renewed',
      devices: { held: supervisor.size, capacity, waiting },
    }),
    stop: repeat({ name: 'waiting devices', everyMs: countEveryMs, run: count }, log),
  };
}

export function watchHealth(parts: HealthParts) {
  const { database, queue, roles, held } = parts;
  const devices = held === null ? null : watchDevices(parts, held);
  const isUp = () =>
    pingDatabase(database).then(
      () => true,
      () => false,
    );
  return {
    async read(): Promise<WorkerHealth> {
      const [isDatabaseUp, redis] = await Promise.all([isUp(), readRedisState(queue)]);
      const ofDevices = devices?.read();
      const canSend = ofDevices === undefined || (redis === 'up' && ofDevices.leases === 'renewed');
      return { ok: isDatabaseUp && canSend, roles, database: isDatabaseUp ? 'up' : 'down', redis, ...ofDevices };
    },
    stop: () => devices?.stop(),
  };
}
