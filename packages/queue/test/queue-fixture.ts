/** Gives each test file of the queue a prefix in the Redis of the test run, and each test its own device. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { type DeviceId, newId } from '@kurir/contracts';
import { startTcpProxy, type TcpProxy, testRedisUrl, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connectQueue, type QueueConnection } from '../src/redis/connect.js';
import type { RedisAddress } from '../src/redis/redis-address.js';
import { createEnqueuer } from '../src/lanes/enqueue.js';
import { createLane, type Lane, type LaneOptions } from '../src/lanes/lane.js';
import type { Ticket } from '../src/lanes/ticket.js';

export type Outage = { readonly connection: QueueConnection; readonly proxy: TcpProxy };

export class QueueFixture {
  readonly prefix = uniqueQueuePrefix();
  readonly internalKeys = [createSecretKey(randomBytes(32))] as const;
  /** The errors that connections reported. */
  readonly errors: Error[] = [];
  readonly redis: Redis;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #lanes = new Set<Lane>();

  constructor() {
    this.redis = new Redis(testRedisUrl());
  }

  /** Opens the connection of a process. It is closed after the test. */
  async connect(at: string | RedisAddress = testRedisUrl(), prefix: string = this.prefix): Promise<QueueConnection> {
    const { internalKeys } = this;
    const address = typeof at === 'string' ? { urls: [at] } : at;
    const onError = (error: Error) => void this.errors.push(error);
    const connection = connectQueue({ ...address, prefix, internalKeys, onError });
    this.#closers.push(() => connection.close());
    await waitUntil(() => connection.commands.status === 'ready', { what: 'Redis is connected' });
    return connection;
  }

  /** Opens a connection through a proxy that can be cut, as if Redis had died. */
  async connectThroughProxy(): Promise<Outage> {
    const proxy = await startTcpProxy(testRedisUrl());
    const connection = await this.connect(proxy.url);
    this.#closers.push(() => proxy.close());
    return { connection, proxy };
  }

  ticket(deviceId: DeviceId, priority = 1): Ticket {
    return { messageId: newId('msg'), deviceId, priority, requestId: 'req_1' };
  }

  /** Offers tickets as the api does after an acceptance. Resolves when the missing ones are in Redis. */
  async offer(connection: QueueConnection, ...tickets: readonly Ticket[]): Promise<void> {
    const dropped: unknown[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (_count, error) => void dropped.push(error) });
    enqueuer.offer(tickets);
    await enqueuer.close();
    if (dropped.length > 0) throw new Error('tickets were dropped', { cause: dropped[0] });
  }

  /** Opens a lane of the device. It is closed after the test. */
  lane(
    connection: QueueConnection,
    deviceId: DeviceId,
    options: Partial<LaneOptions>,
    shared = connection.openForLanes(),
  ): Lane {
    const lane = createLane(connection, shared, {
      deviceId,
      take: async () => 'done',
      onForeignTicket: () => undefined,
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    this.#lanes.add(lane);
    return lane;
  }

  keys(pattern = '*'): Promise<string[]> {
    return this.redis.keys(`*${this.prefix}${pattern}`);
  }

  /** Removes the keys of this file, as if Redis had been emptied. */
  async wipe(redis: Redis = this.redis): Promise<void> {
    const keys = await redis.keys(`*${this.prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
  }

  async closeTest(): Promise<void> {
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
    this.#lanes.clear();
    for (const close of this.#closers.splice(0).toReversed()) await close();
    this.errors.length = 0;
  }

  async close(): Promise<void> {
    await this.wipe();
    this.redis.disconnect();
  }
}

/** Registers the prefix of the file. The returned function gives the fixture inside tests. */
export function useQueueFixture(): () => QueueFixture {
  let fixture: QueueFixture | undefined;
  beforeAll(() => {
    fixture = new QueueFixture();
  });
  afterEach(() => fixture?.closeTest());
  afterAll(() => fixture?.close());
  return () => {
    if (fixture === undefined) throw new Error('the fixture stands only inside tests');
    return fixture;
  };
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
