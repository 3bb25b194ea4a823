/**
 * Tops lanes up from Postgres: a lane whose window has fallen below half gets the first due messages again.
 * Run twice it adds nothing new. It also repairs everything that a lost Redis took along.
 */
import type { DeviceId } from '@kurir/contracts';
import { laneEventsKept, laneName, lanePrefix, type QueueConnection } from './connect.js';
import type { LaneJob } from './lane-job.js';
import { addLaneJobs, readLaneCounts, readWindow } from './lane-window.js';

export type LaneToFill = {
  readonly deviceId: DeviceId;
  readonly priority: number;
  /** Due messages in Postgres; counting may stop at the window. */
  readonly waiting: number;
};

/** The first due messages of a lane and priority, in order, at most `limit`. */
export type ReadDueJobs = (deviceId: DeviceId, priority: number, limit: number) => Promise<LaneJob[]>;

/** Redis may have been emptied since the lane was made, and its cap on events with it. */
async function restoreEventCap(connection: QueueConnection, deviceId: DeviceId): Promise<void> {
  const key = `${lanePrefix(connection.options.prefix, deviceId)}:${laneName}:meta`;
  await connection.commands.hset(key, 'opts.maxLenEvents', laneEventsKept);
}

async function fillLane(
  connection: QueueConnection,
  lane: LaneToFill,
  window: number,
  readDueJobs: ReadDueJobs,
): Promise<number> {
  const inRedis = (await readLaneCounts(connection, lane.deviceId))[lane.priority] ?? 0;
  if (inRedis >= Math.min(lane.waiting, Math.ceil(window / 2))) return 0;
  const jobs = await readDueJobs(lane.deviceId, lane.priority, window);
  if (jobs.length === 0) return 0;
  await restoreEventCap(connection, lane.deviceId);
  await addLaneJobs(connection, lane.deviceId, jobs);
  return jobs.length;
}

/** Answers how many jobs were offered. Rejects when Redis is away. */
export async function fillLanes(
  connection: QueueConnection,
  lanes: readonly LaneToFill[],
  readDueJobs: ReadDueJobs,
): Promise<number> {
  if (lanes.length === 0) return 0;
  const window = await readWindow(connection);
  let offered = 0;
  for (const lane of lanes) offered += await fillLane(connection, lane, window, readDueJobs);
  return offered;
}

/** Enough to tell whether a lane is below its window. */
export const countUpTo = 100;
