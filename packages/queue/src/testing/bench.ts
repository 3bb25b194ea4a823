/** What the tests of the queue stand on: a prefix per file on the run's Redis, and jobs of a device per test. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { type DeviceId, newId } from '@kurir/contracts';
import { startTcpProxy, type TcpProxy, testRedisUrl, uniqueQueuePrefix, waitUntil } from '@kurir/testing';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connectQueue, type QueueConnection } from '../connect.js';
import { createEnqueuer } from '../enqueue.js';
import { createLane, type Lane, type LaneOptions } from '../lane.js';
import type { LaneJob } from '../lane-job.js';

export type Outage = { readonly connection: QueueConnection; readonly proxy: TcpProxy };

export class Bench {
  readonly prefix = uniqueQueuePrefix();
  readonly internalKey = createSecretKey(randomBytes(32));
  /** Errors that connections reported. */
  readonly errors: Error[] = [];
  readonly redis: Redis;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #lanes = new Set<Lane>();
  #sequence = 0n;

  constructor() {
    this.redis = new Redis(testRedisUrl());
  }

  /** A process's connection; closed after the test. */
  async connect(url: string = testRedisUrl(), prefix: string = this.prefix): Promise<QueueConnection> {
    const { internalKey } = this;
    const connection = connectQueue({ url, prefix, internalKey, onError: (error) => void this.errors.push(error) });
    this.#closers.push(() => connection.close());
    await waitUntil(() => connection.commands.status === 'ready', { what: 'Redis is connected' });
    return connection;
  }

  /** A connection through a proxy that can be cut, as if Redis had died. */
  async connectThroughProxy(): Promise<Outage> {
    const proxy = await startTcpProxy(testRedisUrl());
    const connection = await this.connect(proxy.url);
    this.#closers.push(() => proxy.close());
    return { connection, proxy };
  }

  /** A job of the device, in the order of the calls. */
  job(deviceId: DeviceId, priority = 1): LaneJob {
    this.#sequence += 1n;
    return { messageId: newId('msg'), deviceId, priority, seq: this.#sequence, expiresAt: null, requestId: 'req_1' };
  }

  jobs(deviceId: DeviceId, count: number, priority = 1): LaneJob[] {
    return Array.from({ length: count }, () => this.job(deviceId, priority));
  }

  /** Puts jobs into Redis as the api does for one request after the other, and waits until they stand there. */
  async offer(connection: QueueConnection, jobs: readonly LaneJob[]): Promise<void> {
    for (const job of jobs) await this.offerTogether(connection, [job]);
  }

  /** The same for what was accepted together. */
  async offerTogether(connection: QueueConnection, jobs: readonly LaneJob[]): Promise<void> {
    const dropped: unknown[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (_count, error) => void dropped.push(error) });
    enqueuer.offer(jobs);
    await enqueuer.close();
    if (dropped.length > 0) throw new Error('jobs were dropped', { cause: dropped[0] });
  }

  /** A lane of the device; closed after the test. */
  lane(connection: QueueConnection, deviceId: DeviceId, options: Partial<LaneOptions>): Lane {
    const lane = createLane(connection, connection.patient(), {
      deviceId,
      pacePerMinute: null,
      take: async () => 'done',
      onDrained: () => undefined,
      onProgress: () => undefined,
      onForeignJob: () => undefined,
      onError: (error) => void this.errors.push(error),
      ...options,
    });
    this.#lanes.add(lane);
    return lane;
  }

  keys(pattern = '*'): Promise<string[]> {
    return this.redis.keys(`*${this.prefix}${pattern}`);
  }

  /** As if Redis had been emptied, for this file's keys. */
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

/** Registers the file's prefix; the answer gives the bench inside tests. */
export function useBench(): () => Bench {
  let bench: Bench | undefined;
  beforeAll(() => {
    bench = new Bench();
  });
  afterEach(() => bench?.closeTest());
  afterAll(() => bench?.close());
  return () => {
    if (bench === undefined) throw new Error('the bench stands only inside tests');
    return bench;
  };
}

/** A promise and its end. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
