/**
 * How many jobs of a lane stand in Redis: a window for each priority; what they do not cover waits in Postgres.
 */
import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from './connect.js';
import { encodeLaneJob, type LaneJob } from './lane-job.js';

const window = 100;
/** Jobs in Redis altogether (about 1.1 kB each), above which windows shrink to what keeps every lane moving. */
const maxJobs = 100_000;
const smallestWindow = 2;

/** otp before normal before bulk. BullMQ's priority 0 would mean "before all, in another list". */
const bullPriority = (priority: number) => priority + 1;

/** A job is one key, so the number of keys tells whether there is room. */
export async function readWindow(connection: QueueConnection): Promise<number> {
  return (await connection.commands.dbsize()) > maxJobs ? smallestWindow : window;
}

/** Jobs waiting in a lane, by priority (0, 1, 2). */
export async function readLaneCounts(connection: QueueConnection, deviceId: DeviceId): Promise<number[]> {
  const counts = await connection.laneQueue(deviceId).getCountsPerPriority([0, 1, 2].map(bullPriority));
  return [0, 1, 2].map((priority) => counts[bullPriority(priority)] ?? 0);
}

type Addition = Parameters<ReturnType<QueueConnection['laneQueue']>['addBulk']>[0][number];

function additionOf(job: LaneJob, { options }: QueueConnection): Addition {
  const opts = { jobId: job.messageId, priority: bullPriority(job.priority) };
  return { name: 'turn', data: encodeLaneJob(job, options.internalKey), opts };
}

/** Adds jobs to their lane; one that already stands there is left as it is. */
export async function addLaneJobs(
  connection: QueueConnection,
  deviceId: DeviceId,
  jobs: readonly LaneJob[],
): Promise<void> {
  const lane = connection.laneQueue(deviceId);
  const additions = jobs.map((job) => additionOf(job, connection));
  const [first] = additions;
  // A pipeline, which `addBulk` makes, is dearer than a job: each one gets a copy of all of BullMQ's scripts.
  if (first !== undefined && additions.length === 1) await lane.add(first.name, first.data, first.opts);
  else if (first !== undefined) await lane.addBulk(additions);
}
