/**
 * Tops lanes up from Postgres: a lane and priority without a job, but with due messages, gets one whose turn covers
 * the first of them. Run twice it adds nothing new. It also repairs everything that a lost Redis took along.
 */
import type { DeviceId } from '@kurir/contracts';
import { laneEventsKept, laneName, lanePrefix, type QueueConnection } from './connect.js';
import type { LaneJob } from './lane-job.js';
import { addLaneJobs, readLaneCounts } from './lane-window.js';

export type LaneToFill = { readonly deviceId: DeviceId; readonly priority: number };

/** The job of a lane and priority that covers its first due messages; null when nothing is due any more. */
export type ReadDueJob = (deviceId: DeviceId, priority: number) => Promise<LaneJob | null>;

/** Redis may have been emptied since the lane was made, and its cap on events with it. */
async function restoreEventCap(connection: QueueConnection, deviceId: DeviceId): Promise<void> {
  const key = `${lanePrefix(connection.options.prefix, deviceId)}:${laneName}:meta`;
  await connection.commands.hset(key, 'opts.maxLenEvents', laneEventsKept);
}

async function fillLane(connection: QueueConnection, lane: LaneToFill, readDueJob: ReadDueJob): Promise<boolean> {
  const inRedis = (await readLaneCounts(connection, lane.deviceId))[lane.priority] ?? 0;
  if (inRedis > 0) return false;
  const job = await readDueJob(lane.deviceId, lane.priority);
  if (job === null) return false;
  await restoreEventCap(connection, lane.deviceId);
  await addLaneJobs(connection, lane.deviceId, [job]);
  return true;
}

/** So many lanes one after the other: then it is Redis that is away, or silent, and each would take a time-out to say so. */
const failuresInARow = 3;

export type FillOptions = {
  readonly readDueJob: ReadDueJob;
  /** Told of each lane that could not be filled; it keeps no other from its job. */
  readonly onFailure: (deviceId: DeviceId, error: unknown) => void;
};

/** Answers how many lanes were offered a job. Rejects when Redis is away, or has failed three lanes in a row. */
export async function fillLanes(
  connection: QueueConnection,
  lanes: readonly LaneToFill[],
  { readDueJob, onFailure }: FillOptions,
): Promise<number> {
  let offered = 0;
  let failures = 0;
  for (const lane of lanes) {
    try {
      if (await fillLane(connection, lane, readDueJob)) offered++;
      failures = 0;
    } catch (error) {
      if (connection.commands.status !== 'ready' || ++failures === failuresInARow) throw error;
      onFailure(lane.deviceId, error);
    }
  }
  return offered;
}
