/**
 * A device's lane, consumed by the worker that holds its session: one turn at a time, otp before normal before
 * bulk, at the device's pace. BullMQ delivers; what is sent and in which order the claim decides.
 */
import type { DeviceId } from '@kurir/contracts';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { laneName, lanePrefix, type QueueConnection } from './connect.js';
import { decodeLaneJob, type LaneJob } from './lane-job.js';

/**
 * How a turn ended.
 * - `done`: the job is over.
 * - `again`: more is due; it keeps its place.
 * - `not-now`: the device cannot send; it keeps its place, and the owner closes the lane.
 */
export type Turn = 'done' | 'again' | 'not-now';

export type LaneOptions = {
  readonly deviceId: DeviceId;
  /** Turns per minute; null: no pace. */
  readonly pacePerMinute: number | null;
  readonly take: (job: LaneJob) => Promise<Turn>;
  /** The lane has run empty; a good moment to top it up. */
  readonly onDrained: () => void;
  /** Every so many turns of a long backlog, likewise. */
  readonly onProgress: () => void;
  readonly onForeignJob: () => void;
  readonly onError: (error: Error) => void;
};

export type Lane = {
  /** Milliseconds since a job's turn last ended, by a monotonic clock; 0 while one has begun or waits to begin. */
  idleMs(): number;
  /** Stops consuming; resolves when the running turn is over. */
  close(): Promise<void>;
};

/** After a kill another worker's lane takes the job over within 4 to 7 s (measured); the defaults take 45 to 59 s. */
const lockDurationMs = 8_000;
const stalledIntervalMs = 2_500;
/** Postgres decides when to give up, not BullMQ, whose default of 1 fails a job after two crashes. */
const maxStalledCount = 1_000_000;
const turnsPerProgress = 50;

export function createLane(connection: QueueConnection, shared: Redis, options: LaneOptions): Lane {
  let lastTurnAt = performance.now();
  let taking = false;
  let turns = 0;

  async function takeTurn(job: LaneJob): Promise<Turn> {
    taking = true;
    try {
      return await options.take(job);
    } finally {
      taking = false;
      lastTurnAt = performance.now();
    }
  }

  async function take(job: Job, token: string | undefined): Promise<void> {
    const turn = decodeLaneJob(job.data, connection.options.internalKey);
    if (turn === null || turn.deviceId !== options.deviceId) return options.onForeignJob();
    const ended = await takeTurn(turn);
    if (++turns % turnsPerProgress === 0) options.onProgress();
    if (ended === 'done') return;
    await giveBack(job, token);
    throw new WaitingError();
  }

  /** BullMQ tells nobody of a job with a priority that is moved back: the next lane, where it waits already, looks again after 5 s. */
  async function giveBack(job: Job, token: string | undefined): Promise<void> {
    await job.moveToWait(token);
    await shared.zadd(worker.toKey('marker'), 0, '0');
  }

  const worker = new Worker(laneName, take, {
    connection: shared,
    prefix: lanePrefix(connection.options.prefix, options.deviceId),
    concurrency: 1,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    maxStalledCount,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    ...(options.pacePerMinute === null
      ? {}
      : { limiter: { max: 1, duration: Math.ceil(60_000 / options.pacePerMinute) } }),
  });
  worker.on('error', options.onError);
  worker.on('failed', (_job, error) => options.onError(error));
  worker.on('drained', options.onDrained);

  return {
    idleMs: () => (taking ? 0 : performance.now() - lastTurnAt),
    close: () => worker.close(),
  };
}
