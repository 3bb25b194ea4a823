/**
 * The lane of a device. The worker that holds the session consumes it, one ticket at a time: one-time codes first, then
 * normal messages, then bulk. BullMQ delivers tickets. The claim decides which message is sent, and when.
 */
import type { DeviceId } from '@kurir/contracts';
import { type Job, WaitingError, Worker } from 'bullmq';
import { laneName, lanePrefix, type QueueConnection } from '../redis/connect.js';
import type { Client } from '../redis/open-redis.js';
import { reportRarely } from '../redis/report-rarely.js';
import { decodeTicket, type Ticket } from './ticket.js';

/**
 * How a turn ended.
 * - `done`: the ticket is finished.
 * - `again`: more messages are due. The ticket keeps its place.
 * - `not-now`: the device cannot send. The ticket keeps its place, and the owner closes the lane.
 */
export type TurnEnd = 'done' | 'again' | 'not-now';

export type LaneOptions = {
  readonly deviceId: DeviceId;
  /** Takes the turn of a ticket. In the worker this is `DeviceConnection` (device-connection.ts). */
  readonly take: (ticket: Ticket) => Promise<TurnEnd>;
  readonly onForeignTicket: () => void;
  /** Called with the same error of the connection at most once a minute. */
  readonly onError: (error: Error) => void;
};

export type Lane = {
  /** Milliseconds since the last turn ended, by a monotonic clock. 0 while a turn runs. */
  idleMs(): number;
  /** Stops consuming. Resolves when the running turn has ended. */
  close(): Promise<void>;
};

/**
 * After a kill, the lane of another worker takes the ticket when the lock has expired. The defaults of BullMQ take most
 * of a minute.
 */
const lockDurationMs = 8_000;
const stalledIntervalMs = 2_500;
/** Postgres decides when to give up. By default BullMQ fails a job after two crashes. */
const maxStalledCount = 1_000_000;

/**
 * Redis may refuse commands, because it is a replica, or full, or a node of a Cluster. BullMQ would try again without a
 * pause.
 */
const refusalRestMs = 1_000;
/** Returns what to do with a refusal, and how to end the rest that it began. */
function restAfterRefusals(worker: Worker, onError: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    refused(error: Error) {
      onError(error);
      if (timer !== undefined) return;
      void worker.pause(true);
      timer = setTimeout(() => {
        timer = undefined;
        void worker.resume();
      }, refusalRestMs);
    },
    end: () => clearTimeout(timer),
  };
}

export function createLane(connection: QueueConnection, shared: Client, options: LaneOptions): Lane {
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
    const ticket = decodeTicket(job.data, connection.options.internalKeys);
    if (ticket === null || ticket.deviceId !== options.deviceId) return options.onForeignTicket();
    if ((await takeTurn(ticket)) === 'done') return;
    await returnToQueue(job, token);
    throw new WaitingError();
  }

  /**
   * BullMQ sends no marker when a job with a priority moves back. Without one, a lane that already waits looks again
   * only after its blocking read.
   */
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
  // Each failed attempt to connect is an error of each lane.
  const report = reportRarely(options.onError);
  const rest = restAfterRefusals(worker, report);
  worker.on('error', (error) => {
    if (error.name === 'ReplyError') rest.refused(error);
    else report(error);
  });
  worker.on('failed', (_job, error) => options.onError(error));

  return {
    idleMs: () => (taking ? 0 : performance.now() - lastTurnAt),
    close() {
      rest.end();
      return worker.close();
    },
  };
}
