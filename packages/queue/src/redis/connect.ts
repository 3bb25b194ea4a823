/**
 * The connections to Redis. Redis carries signals, tickets and counts. Every caller must be able to go on without it.
 * So commands fail at once while Redis is away.
 */
import type { DeviceId } from '@kurir/contracts';
import type { Keys } from '@kurir/signing';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Client, isCluster, redisOpener } from './open-redis.js';
import { reconnectOnSilence } from './reconnect-on-silence.js';
import type { RedisAddress } from './redis-address.js';
import { reportRarely } from './report-rarely.js';

export type QueueOptions = RedisAddress & {
  /** The first part of every key. */
  readonly prefix: string;
  readonly internalKeys: Keys;
  /** Called for the errors of connections, with the same error at most once a minute. */
  readonly onError?: (error: Error) => void;
};

export type QueueConnection = {
  readonly options: QueueOptions;
  /** For commands. They fail at once while Redis is away. */
  readonly commands: Client;
  /** Opens another connection that waits for Redis, for any number of lanes. */
  openForLanes(): Client;
  /** Opens another connection that waits for Redis, for one subscription. */
  openForSubscription(): Redis;
  /** The queue of a device's lane. */
  laneQueue(deviceId: DeviceId): Queue;
  close(): Promise<void>;
};

/** A queue shares the connection, but still costs memory. The least recently used queues are closed. */
const maxQueues = 5_000;

/** The hash tag of a device. All keys of a lane are in one slot, and a Cluster spreads the lanes over its nodes. */
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

/** A Cluster says only that all nodes failed. The error of the last one says why. */
const causeOf = (error: Error & { readonly lastNodeError?: Error | null }): Error => error.lastNodeError ?? error;

/** Opens connections and returns at once. While Redis is away, the connections keep trying. */
export function connectQueue(options: QueueOptions): QueueConnection {
  const opened: Client[] = [];
  const queues = new Map<DeviceId, Queue>();
  const report = reportRarely((error) => options.onError?.(error));
  const opener = redisOpener(options);

  function keep<C extends Client>(client: C): C {
    client.setMaxListeners(0);
    client.on('error', (error: Error) => report(causeOf(error)));
    opened.push(client);
    return client;
  }

  function keepRedis(redis: Redis): Redis {
    reconnectOnSilence(redis);
    leaveResubscribing(redis);
    return keep(redis);
  }

  // The opener watches the nodes of a Cluster one by one.
  const keepAny = (client: Client): Client => (isCluster(client) ? keep(client) : keepRedis(client));

  const commands = keepAny(opener.impatient());

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
    openForLanes: () => keepAny(opener.forLanes()),
    openForSubscription: () => keepRedis(opener.forSubscription()),
    laneQueue(deviceId) {
      const queue = queues.get(deviceId) ?? makeQueue(deviceId);
      queues.delete(deviceId);
      queues.set(deviceId, queue);
      if (queues.size > maxQueues) forgetOldest();
      return queue;
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      for (const client of opened) client.disconnect();
    },
  };
}
