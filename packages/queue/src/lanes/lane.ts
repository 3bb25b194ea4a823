/**
 * A device's lane, consumed by the worker that holds its session: one ticket at a time, otp before normal before bulk.
 * BullMQ delivers tickets; what is sent, when and in which order the claim decides.
 */
import type { DeviceId } from '@kurir/contracts';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { laneName, lanePrefix, type QueueConnection } from '../redis/connect.js';
import { decodeTicket, type Ticket } from './ticket.js';

/**
 * How a turn ended.
 * - `done`: the ticket is over.
 * - `again`: more is due; the ticket keeps its place.
 * - `not-now`: the device cannot send; the ticket keeps its place, and the owner closes the lane.
 */
export type TurnEnd = 'done' | 'again' | 'not-now';

export type LaneOptions = {
  readonly deviceId: DeviceId;
  readonly take: (ticket: Ticket) => Promise<TurnEnd>;
  readonly onForeignTicket: () => void;
  readonly onError: (error: Error) => void;
};

export type Lane = {
  /** Milliseconds since a ticket's turn last ended, by a monotonic clock; 0 while one has begun or waits to begin. */
  idleMs(): number;
  /** Stops consuming; resolves when the running turn is over. */
  close(): Promise<void>;
};

/** After a kill another worker's lane takes the ticket over within 4 to 7 s (measured); the defaults take 45 to 59 s. */
const lockDurationMs = 8_000;
const stalledIntervalMs = 2_500;
/** Postgres decides when to give up, not BullMQ, whose default of 1 fails a job after two crashes. */
const maxStalledCount = 1_000_000;

export function createLane(connection: QueueConnection, shared: Redis, options: LaneOptions): Lane {
  let lastTurnAt = performance.now();
  let taking = false;

  async function takeTurn(ticket: Ticket): Promise<TurnEnd> {
    taking = true;
    try {
      return await options.take(ticket);
    } finally {
      taking = false;
      lastTurnAt = performance.now();
    }
  }

  async function take(job: Job, token: string | undefined): Promise<void> {
    const ticket = decodeTicket(job.data, connection.options.internalKey);
    if (ticket === null || ticket.deviceId !== options.deviceId) return options.onForeignTicket();
    if ((await takeTurn(ticket)) === 'done') return;
    await returnToQueue(job, token);
    throw new WaitingError();
  }

  /** BullMQ tells nobody of a job with a priority that is moved back: the next lane, where it waits already, looks again after 5 s. */
  async function returnToQueue(job: Job, token: string | undefined): Promise<void> {
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
  });
  worker.on('error', options.onError);
  worker.on('failed', (_job, error) => options.onError(error));

  return {
    idleMs: () => (taking ? 0 : performance.now() - lastTurnAt),
    close: () => worker.close(),
  };
}
