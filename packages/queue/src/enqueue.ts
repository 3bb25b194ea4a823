/**
 * Step 4, enqueue: what was accepted together gets one job per lane and priority, its last message's, behind the
 * answer: a job is a turn of at least what is due up to it. It may fail and may run twice: a message that no job covers is
 * found by the sweep, a job that stands already is not added again. An otp is rung for, and one that follows a job of its lane
 * within a second has none where somebody listens.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from './connect.js';
import type { LaneJob } from './lane-job.js';
import { addLaneJobs, readLaneCounts, readWindow } from './lane-window.js';
import { ringForOtps } from './otp-bell.js';

export type EnqueuerOptions = {
  /** Told how many jobs did not get into Redis because of an error; the sweep will find what they cover. */
  readonly onDropped: (count: number, error: unknown) => void;
  /** Milliseconds by a clock that never goes back. */
  readonly now?: () => number;
};

export type Enqueuer = {
  /** Takes jobs and returns at once; never throws. */
  offer(jobs: readonly LaneJob[]): void;
  /** Resolves when what was offered has been tried. */
  close(): Promise<void>;
};

/** Beyond this much waiting for Redis, jobs are dropped: the sweep brings them later. */
const maxPending = 50_000;
const windowValidMs = 1_000;
/** From one round to the next: a job that is alone goes at once, under load what arrives meanwhile shares jobs. */
const gatherMs = 10;
const otp = 0;
/** One that waits takes all otps that are due when its turn comes, so also what was committed before it was seen waiting. */
const otpWindow = 1;
/** However many listen, the otps of a lane have a job so often: who listens may have lost the device, or its way to Redis. */
const otpJobEveryMs = 1_000;
/** Where nobody listened: a lane with a pace never has a listener, and would be rung in vain with each round. */
const ringAgainAfterMs = 100;

/** Of each lane the last job of each priority: its turn covers those before it. */
function lastOfEachLane(jobs: readonly LaneJob[]): Map<DeviceId, LaneJob[]> {
  const lanes = new Map<DeviceId, LaneJob[]>();
  for (const job of jobs) {
    const lane = lanes.get(job.deviceId);
    if (lane === undefined) lanes.set(job.deviceId, [job]);
    else keepLast(lane, job);
  }
  return lanes;
}

function keepLast(lane: LaneJob[], job: LaneJob): void {
  const at = lane.findIndex((other) => other.priority === job.priority);
  const other = lane[at];
  if (other === undefined) lane.push(job);
  else if (other.seq < job.seq) lane[at] = job;
}

/** What of the jobs fits into the lane's windows. */
function fitting(jobs: readonly LaneJob[], counts: readonly number[], window: number): LaneJob[] {
  const room = counts.map((count) => window - count);
  return jobs.filter((job) => {
    const left = room[job.priority] ?? 0;
    room[job.priority] = left - 1;
    return left > 0;
  });
}

type EnqueueLane = (deviceId: DeviceId, jobs: readonly LaneJob[]) => Promise<void>;

/** Jobs that wait for Redis, offered to it in rounds, each what came since the one before. */
type Rounds = { add(jobs: readonly LaneJob[]): void; idle(): Promise<void> };

function createRounds(options: EnqueuerOptions, enqueueLane: EnqueueLane): Rounds {
  let pending: LaneJob[] = [];
  let running: Promise<void> | null = null;
  let roundAt = Number.NEGATIVE_INFINITY;

  async function gather(): Promise<void> {
    const sinceMs = performance.now() - roundAt;
    // One turn of the event loop gathers what is accepted together.
    await (sinceMs < gatherMs ? sleep(gatherMs - sinceMs) : nextTurn());
    roundAt = performance.now();
  }

  async function tryLane(deviceId: DeviceId, jobs: readonly LaneJob[]): Promise<void> {
    try {
      await enqueueLane(deviceId, jobs);
    } catch (error) {
      options.onDropped(jobs.length, error);
    }
  }

  async function runRound(): Promise<void> {
    await gather();
    const batch = pending;
    pending = [];
    await Promise.all([...lastOfEachLane(batch)].map(([deviceId, jobs]) => tryLane(deviceId, jobs)));
  }

  async function run(): Promise<void> {
    while (pending.length > 0) await runRound();
    running = null;
  }

  return {
    add(jobs) {
      if (jobs.length === 0) return;
      if (pending.length + jobs.length > maxPending)
        return options.onDropped(jobs.length, new Error('Redis is too slow'));
      pending.push(...jobs);
      running ??= run();
    },
    idle: async () => void (await running),
  };
}

/** Lanes to which something happened less than `forMs` ago. */
function createRecentLanes(forMs: number, now: () => number) {
  // The oldest first.
  const noted = new Map<DeviceId, number>();
  return {
    has(deviceId: DeviceId): boolean {
      return now() - (noted.get(deviceId) ?? Number.NEGATIVE_INFINITY) < forMs;
    },
    add(deviceId: DeviceId): void {
      noted.delete(deviceId);
      noted.set(deviceId, now());
      for (const [oldest, at] of noted) {
        if (now() - at < forMs) break;
        noted.delete(oldest);
      }
    },
  };
}

export function createEnqueuer(connection: QueueConnection, options: EnqueuerOptions): Enqueuer {
  let window = { size: 0, readAt: Number.NEGATIVE_INFINITY };

  async function currentWindow(): Promise<number> {
    const askedAt = performance.now();
    if (askedAt - window.readAt > windowValidMs) window = { size: await readWindow(connection), readAt: askedAt };
    return window.size;
  }

  async function enqueueInWindow(deviceId: DeviceId, jobs: readonly LaneJob[], window: number): Promise<void> {
    const fit = fitting(jobs, await readLaneCounts(connection, deviceId), window);
    if (fit.length > 0) await addLaneJobs(connection, deviceId, fit);
  }

  const now = options.now ?? (() => performance.now());
  const hadJob = createRecentLanes(otpJobEveryMs, now);
  const unheard = createRecentLanes(ringAgainAfterMs, now);

  async function isHeard(deviceId: DeviceId): Promise<boolean> {
    if (unheard.has(deviceId)) return false;
    // Where ringing fails, making a job may not; and if it does, the sweep is told.
    const heard = await ringForOtps(connection, deviceId).catch(() => null);
    if (heard === false) unheard.add(deviceId);
    return heard === true;
  }

  async function enqueueOtps(deviceId: DeviceId, jobs: readonly LaneJob[]): Promise<void> {
    // Rung for with a job, too: BullMQ does not interrupt a turn that sends a broadcast, a ring does.
    if ((await isHeard(deviceId)) && hadJob.has(deviceId)) return;
    await enqueueInWindow(deviceId, jobs, otpWindow);
    hadJob.add(deviceId);
  }

  // In rounds of their own: an otp does not wait for the counts of broadcasters' lanes.
  const otps = createRounds(options, enqueueOtps);
  const others = createRounds(options, async (deviceId, jobs) =>
    enqueueInWindow(deviceId, jobs, await currentWindow()),
  );

  return {
    offer(jobs) {
      if (connection.commands.status !== 'ready')
        return options.onDropped(jobs.length, new Error('Redis is not connected'));
      otps.add(jobs.filter((job) => job.priority === otp));
      others.add(jobs.filter((job) => job.priority !== otp));
    },
    async close() {
      await Promise.all([otps.idle(), others.idle()]);
    },
  };
}
