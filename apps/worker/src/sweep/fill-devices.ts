/** Makes tickets for messages that are due, and opens a lane again if it stopped taking turns. */
import type { DeviceId } from '@kurir/contracts';
import { type AccountKeys, type Database, readDueLanes } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { fillLanes, type QueueConnection } from '@kurir/queue';
import type { DeviceSupervisor } from '../devices/device-supervisor.js';

export type SweepParts = {
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly queue: QueueConnection;
  readonly devices: DeviceSupervisor;
  /** For each device with due messages, the `performance.now()` of the first round that found them. */
  readonly waitingSince: Map<DeviceId, number>;
  readonly log: Logger;
};

/** If BullMQ gives no turn to a lane with due messages for so long, the lane has stopped consuming. */
const stuckAfterMs = 15_000;

/** Makes tickets for the due messages of these devices that are older than `olderThanMs`. */
export async function fillDevices(
  parts: SweepParts,
  deviceIds: readonly DeviceId[],
  olderThanMs: number,
): Promise<void> {
  if (deviceIds.length === 0) return;
  const due = await readDueLanes(parts.database, deviceIds, olderThanMs);
  const waiting = new Set(due.map((lane) => lane.deviceId));
  noteWaiting(parts, deviceIds, waiting);
  await fillLanes(parts.queue, due, (deviceId, err) =>
    parts.log.warn({ err, deviceId }, 'lane not filled, will be tried again'),
  );
  reopenStuck(parts, waiting);
}

function noteWaiting(
  { waitingSince }: SweepParts,
  deviceIds: readonly DeviceId[],
  waiting: ReadonlySet<DeviceId>,
): void {
  for (const deviceId of deviceIds) {
    if (!waiting.has(deviceId)) waitingSince.delete(deviceId);
    else if (!waitingSince.has(deviceId)) waitingSince.set(deviceId, performance.now());
  }
}

/** Opens each lane again that got no turn from BullMQ while its messages have been due. */
function reopenStuck(parts: SweepParts, waiting: ReadonlySet<DeviceId>): void {
  for (const deviceId of waiting) {
    const device = parts.devices.get(deviceId);
    if (device === undefined) continue;
    const waitedMs = performance.now() - (parts.waitingSince.get(deviceId) ?? performance.now());
    if (Math.min(device.laneIdleMs, waitedMs) < stuckAfterMs) continue;
    device.reopenLane().catch((err: unknown) => parts.log.error({ err, deviceId }, 'stuck lane not opened again'));
  }
}

/**
 * Returns a function that fills the lane of one device. A call during a run makes that run look once more: its first look
 * may have come before the new message was committed.
 */
export function createLaneFiller(parts: SweepParts): (deviceId: DeviceId) => void {
  const running = new Map<DeviceId, { again: boolean }>();

  async function fill(deviceId: DeviceId): Promise<void> {
    const run = { again: false };
    running.set(deviceId, run);
    try {
      do {
        run.again = false;
        await fillDevices(parts, [deviceId], 0);
      } while (run.again);
    } finally {
      running.delete(deviceId);
    }
  }

  return (deviceId) => {
    const run = running.get(deviceId);
    if (run !== undefined) run.again = true;
    else
      fill(deviceId).catch((err: unknown) =>
        parts.log.warn({ err, chore: 'fill lane' }, 'chore failed, will be tried again'),
      );
  };
}
