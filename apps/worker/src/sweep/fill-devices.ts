/** Makes tickets for messages that are due, and opens a lane anew if it stopped taking turns. */
import type { DeviceId } from '@kurir/contracts';
import { type Database, readDueLanes } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { fillLanes, type QueueConnection } from '@kurir/queue';
import type { DeviceHolder } from '../devices/hold-devices.js';

/** How long things are kept after a message is over. */
export type Retention = {
  readonly messageDays: number;
  /** Texts that are no codes. */
  readonly textHours: number;
};

export type SweepParts = {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly holder: DeviceHolder;
  readonly retention: Retention;
  /** Since when each device has had something waiting, round after round, by a monotonic clock. */
  readonly waitingSince: Map<DeviceId, number>;
  readonly log: Logger;
};

/** A lane with work that has had no turn from BullMQ for so long has stopped consuming. */
const stuckAfterMs = 15_000;

/** Fills the lanes of the given devices from Postgres. */
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

function noteWaiting({ waitingSince }: SweepParts, asked: readonly DeviceId[], waiting: ReadonlySet<DeviceId>): void {
  for (const deviceId of asked) {
    if (!waiting.has(deviceId)) waitingSince.delete(deviceId);
    else if (!waitingSince.has(deviceId)) waitingSince.set(deviceId, performance.now());
  }
}

/** Stuck is a lane that gets no turn from BullMQ although messages have been due for as long. */
function reopenStuck(parts: SweepParts, waiting: ReadonlySet<DeviceId>): void {
  for (const deviceId of waiting) {
    const device = parts.holder.get(deviceId);
    if (device === undefined) continue;
    const waitedMs = performance.now() - (parts.waitingSince.get(deviceId) ?? performance.now());
    if (Math.min(device.laneIdleMs, waitedMs) < stuckAfterMs) continue;
    device.reopenLane().catch((err: unknown) => parts.log.error({ err, deviceId }, 'stuck lane not opened again'));
  }
}

/**
 * Returns a function that fills the lane of one device. It never runs twice at once for a device: a call during a run makes
 * the run look once more, because it may have looked before the new message was committed.
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
