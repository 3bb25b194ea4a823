/**
 * The connections to Redis. Redis carries signals, tickets and counts. Every caller must be able to go on without it.
 * So commands fail at once while Redis is away.
 */
import type { DeviceId } from '@kurir/contracts';
import type { Keys } from '@kurir/signing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { reconnectOnSilence } from './reconnect-on-silence.js';

export type QueueOptions = {
  readonly url: string;
  /** The first part of every key. */
  readonly prefix: string;
  readonly internalKeys: Keys;
  readonly onError?: (error: Error) => void;
};

export type QueueConnection = {
  readonly options: QueueOptions;
  /** For commands. They fail at once while Redis is away. */
  readonly commands: Redis;
  /** Opens another connection that waits for Redis: for subscriptions and lanes. */
  patient(): Redis;
  /** The queue of a device's lane. */
  laneQueue(deviceId: DeviceId): Queue;
  close(): Promise<void>;
};

const reconnectDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000);

/** A queue shares the connection, but still costs memory. The least recently used queues are closed. */
const maxQueues = 5_000;

/** The hash tag of a device. With it, Redis Cluster can spread devices over its nodes. */
export const lanePrefix = (prefix: string, deviceId: DeviceId) => `{${prefix}:${deviceId}}`;
export const laneName = 'lane';

/** Nobody reads the event stream of a lane. Without a limit it would grow. */
export const laneEventsKept = 10;

/**
 * After an outage ioredis subscribes again, and nobody handles that promise. If we close the connection meanwhile, the
 * promise rejects and would end the process.
 */
function leaveResubscribing(redis: Redis): void {
  const subscribe: (...channels: string[]) => Promise<unknown> = redis.subscribe.bind(redis);
  Object.assign(redis, {
    subscribe(...channels: string[]) {
      const subscribed = subscribe(...channels);
      subscribed.catch(() => undefined);
      return subscribed;
    },
  });
}

/** Opens connections and returns at once. While Redis is away, the connections keep trying. */
export function connectQueue(options: QueueOptions): QueueConnection {
  const opened: Redis[] = [];
  const queues = new Map<DeviceId, Queue>();
  const report = (error: Error) => options.onError?.(error);

  function open(settings: object): Redis {
    const redis = new Redis(options.url, { retryStrategy: reconnectDelayMs, connectTimeout: 3_000, ...settings });
    redis.setMaxListeners(0);
    redis.on('error', report);
    reconnectOnSilence(redis);
    leaveResubscribing(redis);
    opened.push(redis);
    return redis;
  }

  const commands = open({ enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000 });

  function makeQueue(deviceId: DeviceId): Queue {
    const queue = new Queue(laneName, {
      connection: commands,
      prefix: lanePrefix(options.prefix, deviceId),
      streams: { events: { maxLen: laneEventsKept } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    queue.on('error', report);
    // BullMQ first asks Redis for its version. If that fails, the queue refuses everything for ever.
    queue.waitUntilReady().catch(() => forget(deviceId, queue));
    return queue;
  }

  function forget(deviceId: DeviceId, queue: Queue): void {
    if (queues.get(deviceId) === queue) queues.delete(deviceId);
    queue.close().catch(report);
  }

  function forgetOldest(): void {
    const oldest = queues.entries().next().value;
    if (oldest !== undefined) forget(...oldest);
  }

  return {
    options,
    commands,
    patient: () => open({ maxRetriesPerRequest: null }),
    laneQueue(deviceId) {
      const queue = queues.get(deviceId) ?? makeQueue(deviceId);
      queues.delete(deviceId);
      queues.set(deviceId, queue);
      if (queues.size > maxQueues) forgetOldest();
      return queue;
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      for (const redis of opened) redis.disconnect();
    },
  };
}
