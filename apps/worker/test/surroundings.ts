/** The surroundings of a worker for one test file: a database, Redis with a prefix, and a network. A test can cut each of them. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccountKeys,
  createAccountKeys,
  createSealer,
  type Database,
  openDatabase,
  type Sealer,
} from '@kurir/database';
import { type Simulator, type SimulatorOptions, startSimulator } from '@kurir/network-simulator';
import { connectQueue, type QueueConnection } from '@kurir/queue';
import {
  createTestDatabase,
  freePort,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  testRedisUrl,
  uniqueQueuePrefix,
} from '@kurir/testing';
import { Network } from './network.js';

/** A deadline, not a duration: the machine may be busy with other tests. */
export const patienceMs = 60_000;
/** Long enough that the network mostly writes the acknowledgement first. */
const receiptDelayMs = 50;
const keys = { master: randomBytes(32), internal: randomBytes(32) };

export type SurroundingsParts = {
  readonly test: TestDatabase;
  readonly port: number;
  readonly postgres: TcpProxy;
  readonly redis: TcpProxy;
  /** Stores the network's journal. */
  readonly directory: string;
};

export async function makeParts(): Promise<SurroundingsParts> {
  const [test, port, redis, directory] = await Promise.all([
    createTestDatabase(),
    freePort(),
    startTcpProxy(testRedisUrl()),
    mkdtemp(join(tmpdir(), 'kurir-worker-')),
  ]);
  return { test, port, redis, directory, postgres: await startTcpProxy(test.url) };
}

export class Surroundings {
  /** The test's own connections to Postgres and Redis, past the proxies. */
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly network: Network;
  /** The proxies between the workers and Postgres and Redis. */
  readonly postgres: TcpProxy;
  readonly redis: TcpProxy;
  readonly sealer: Sealer = createSealer(createSecretKey(keys.master));
  readonly accountKeys: AccountKeys;
  readonly #parts: SurroundingsParts;
  readonly #prefix = uniqueQueuePrefix();
  #simulator: Simulator | null = null;

  constructor(parts: SurroundingsParts) {
    this.#parts = parts;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.database = openDatabase({ url: parts.test.url, poolSize: 4 });
    this.accountKeys = createAccountKeys(this.database, this.sealer);
    this.queue = this.connectQueue(testRedisUrl());
    this.network = new Network(this.networkUrl);
  }

  get networkUrl(): string {
    return `http://127.0.0.1:${this.#parts.port}`;
  }

  /** The address of Postgres past the proxy. */
  get databaseUrl(): string {
    return this.#parts.test.url;
  }

  connectQueue(url: string): QueueConnection {
    return connectQueue({ urls: [url], prefix: this.#prefix, internalKeys: [createSecretKey(keys.internal)] });
  }

  /** The settings for a worker that runs as a program. */
  get settings(): Record<string, string> {
    return {
      DATABASE_URL: this.postgres.url,
      REDIS_URL: this.redis.url,
      KURIR_QUEUE_PREFIX: this.#prefix,
      KURIR_MASTER_KEY: keys.master.toString('base64'),
      KURIR_INTERNAL_KEY: keys.internal.toString('base64'),
      KURIR_SIMULATOR_URL: this.networkUrl,
    };
  }

  /** Starts the network, which remembers its journal as after a restart. */
  async openNetwork(options: SimulatorOptions = {}): Promise<void> {
    const { directory, port } = this.#parts;
    const journalFile = join(directory, 'journal.jsonl');
    this.#simulator = await startSimulator({ receiptDelayMs, ...options, journalFile, port });
  }

  async closeNetwork(): Promise<void> {
    await this.#simulator?.close();
    this.#simulator = null;
  }

  /** Replaces the network during `work` by one with other options, but the same phones and links. */
  async withNetwork(options: SimulatorOptions, work: () => Promise<void>): Promise<void> {
    await this.closeNetwork();
    await this.openNetwork(options);
    try {
      await work();
    } finally {
      await this.closeNetwork();
      await this.openNetwork();
    }
  }

  /** Deletes all keys of this file from Redis, as a power cut does. Returns their number. */
  async wipeRedis(): Promise<number> {
    const keys = await this.queue.commands.keys(`*${this.#prefix}*`);
    return keys.length === 0 ? 0 : this.queue.commands.unlink(...keys);
  }

  /** Breaks all other connections to the database, as an administrator or a failover does. */
  async breakConnections(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.database.pool.query<Row>(text, [...values])).rows;
  }

  async close(): Promise<void> {
    await this.closeNetwork();
    await this.queue.close();
    await this.database.close();
    await Promise.all([this.postgres.close(), this.redis.close()]);
    await this.#parts.test.drop();
    await rm(this.#parts.directory, { recursive: true });
  }
}
