/**
 * What the worker's tests stand on: a database and a queue prefix per file, a simulated network that the test can
 * take away, workers in this process, and a fresh account with a linked device per test.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  type DeviceState,
  type MessageId,
  newId,
  type SendInput,
  type WorkerId,
} from '@kurir/contracts';
import {
  type AcceptedMessage,
  acceptTogether,
  createAccount,
  createClaimer,
  createDevice,
  createOutcomeWriter,
  createSealer,
  type Database,
  grantPeriod,
  type NewMessage,
  openDatabase,
  priorityRanks,
  readAccountInfo,
  readDevice,
  readLeaseOwner,
  readMessage,
  requestLink,
} from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { createSimulatorDriver, type Simulator, type SimulatorOptions, startSimulator } from '@kurir/network-simulator';
import { connectQueue, createEnqueuer, type LaneJob, type QueueConnection, wakeHolder } from '@kurir/queue';
import {
  createTestDatabase,
  freePort,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  testRedisUrl,
  uniqueQueuePrefix,
  waitUntil,
} from '@kurir/testing';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { createConnectGate } from '../connect-gate.js';
import { DeviceHolder } from '../hold-devices.js';
import { type RunningWorker, startWorker, type WorkerParts } from '../start-worker.js';
import { Network, newPhoneNumber } from './network.js';

export type Customer = {
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  readonly keyId: ApiKeyId;
  /** The device's own number. */
  readonly number: string;
};

export type DeviceOptions = { readonly pacePerMinute?: number };
export type CustomerOptions = DeviceOptions & {
  /** Messages of its one period; unlimited when left out. */
  readonly quota?: number;
};

export type WorkerOptions = { readonly ackTimeoutMs?: number; readonly capacity?: number };

export type TestHolder = { readonly owner: WorkerId; readonly holder: DeviceHolder; readonly stop: () => Promise<void> };

const plain: SendInput = {
  text: 'Halo',
  recipient: '',
  clientRef: null,
  priority: 'normal',
  ttlSeconds: null,
  sendAt: null,
};

const receiptDelayMs = 10;
/** A deadline, not a duration: the machine may be busy with other tests. */
const patienceMs = 20_000;
const keys = { master: randomBytes(32), internal: randomBytes(32) };

type BenchParts = {
  readonly test: TestDatabase;
  readonly simulator: SimulatorOptions;
  readonly port: number;
  readonly postgres: TcpProxy;
  readonly redis: TcpProxy;
  /** For the network's journal. */
  readonly directory: string;
};

export class Bench {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly network: Network;
  /** Stand between the workers and Postgres and Redis. */
  readonly postgres: TcpProxy;
  readonly redis: TcpProxy;
  readonly #parts: BenchParts;
  readonly #prefix = uniqueQueuePrefix();
  readonly #workers = new Set<() => Promise<void>>();
  #simulator: Simulator | null = null;

  constructor(parts: BenchParts) {
    this.#parts = parts;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.database = openDatabase({ url: parts.test.url, poolSize: 4 });
    this.queue = this.#connectQueue(testRedisUrl());
    this.network = new Network(this.networkUrl);
  }

  get networkUrl(): string {
    return `http://127.0.0.1:${this.#parts.port}`;
  }

  /** The settings of the worker as a program. */
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

  /** The network remembers what was before, as after a restart. */
  async openNetwork(options: SimulatorOptions = {}): Promise<void> {
    const { directory, simulator, port } = this.#parts;
    const journalFile = join(directory, 'journal.jsonl');
    this.#simulator = await startSimulator({ receiptDelayMs, ...simulator, ...options, journalFile, port });
  }

  async closeNetwork(): Promise<void> {
    await this.#simulator?.close();
    this.#simulator = null;
  }

  /** Another network for a while, with the same phones and links. */
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

  /** A worker that ends with the test at the latest. */
  startWorker(options: WorkerOptions = {}): RunningWorker {
    const { parts, close } = this.#workerParts(options);
    const worker = startWorker(parts);
    return { check: () => worker.check(), stop: this.#endWithTest(() => worker.stop().finally(close)) };
  }

  /** The part of a worker that holds devices, without its chores: the test says when it renews and takes. */
  openHolder(options: WorkerOptions & { readonly now?: () => number } = {}): TestHolder {
    const { parts, close } = this.#workerParts(options);
    const { database, queue, capacity } = parts;
    const owner = newId('wrk');
    const holder = new DeviceHolder({
      database,
      owner,
      capacity,
      ...(options.now === undefined ? {} : { now: options.now }),
      parts: {
        ...parts,
        laneConnection: queue.patient(),
        claimer: createClaimer(database),
        outcomes: createOutcomeWriter(database),
        gate: createConnectGate(5),
        onLaneOpened: () => undefined,
        onLaneHungry: () => undefined,
      },
    });
    return { owner, holder, stop: this.#endWithTest(() => holder.stop().finally(close)) };
  }

  #endWithTest(work: () => Promise<void>): () => Promise<void> {
    let ended: Promise<void> | null = null;
    const stop = () => (ended ??= work());
    this.#workers.add(stop);
    return stop;
  }

  async stopWorkers(): Promise<void> {
    const stops = [...this.#workers];
    this.#workers.clear();
    await Promise.all(stops.map((stop) => stop()));
  }

  /** Everything that this file keeps in Redis is gone, as after a power cut. */
  async wipeRedis(): Promise<number> {
    const keys: string[] = [];
    const pages = this.queue.commands.scanStream({ match: `*${this.#prefix}*`, count: 1_000 });
    for await (const page of pages) keys.push(...(page as string[]));
    return keys.length === 0 ? 0 : this.queue.commands.unlink(...keys);
  }

  /** Breaks every connection to the database but the asking one, as an administrator or a failover does. */
  async breakConnections(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  /** The next test's workers have nothing to do with this one's devices. */
  async forgetDevices(): Promise<void> {
    await this.query(`UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected'`);
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.database.pool.query<Row>(text, [...values])).rows;
  }

  /** A new account whose device is linked and connected; needs a running worker. */
  async customer(options: CustomerOptions = {}): Promise<Customer> {
    const accountId = await createAccount(this.database, 'test');
    const plan = { planId: newId('pln'), name: 'Test', type: 'TIME_BASED', durationDays: 30, priceRupiah: 1 };
    await grantPeriod(this.database, accountId, { ...plan, quota: options.quota ?? null });
    return this.anotherDevice(accountId, options);
  }

  async anotherDevice(accountId: AccountId, options: DeviceOptions = {}): Promise<Customer> {
    const customer = await this.unlinkedDevice(accountId, options);
    await this.askForQr(customer);
    await this.network.ask(`/phones/${customer.number}/scan`, { code: await this.shownCode(customer) });
    await this.untilState(customer, 'connected');
    return customer;
  }

  async unlinkedDevice(accountId: AccountId, { pacePerMinute }: DeviceOptions = {}): Promise<Customer> {
    const device = { accountId, name: 'd', network: 'simulator', pacePerMinute: pacePerMinute ?? null };
    const deviceId = await createDevice(this.database, device);
    return { accountId, deviceId, keyId: `kk_test_${randomBytes(8).toString('hex')}`, number: newPhoneNumber() };
  }

  askForQr(customer: Customer): Promise<void> {
    return this.askForLink(customer, { method: 'qr', phoneNumber: null });
  }

  async askForLink(
    { accountId, deviceId }: Customer,
    pairing: { method: 'qr' | 'pairing_code'; phoneNumber: string | null },
  ): Promise<void> {
    await requestLink(this.database, accountId, deviceId, pairing);
    await wakeHolder(this.queue, deviceId);
  }

  shownCode(customer: Customer): Promise<string> {
    return waitUntil(async () => (await this.device(customer)).pairingCode, {
      what: 'a code is shown',
      timeoutMs: patienceMs,
    });
  }

  async device({ accountId, deviceId }: Customer) {
    const device = await readDevice(this.database, accountId, deviceId);
    if (device === null) throw new Error(`there is no device ${deviceId}`);
    return device;
  }

  async untilState(customer: Customer, state: DeviceState, timeoutMs = patienceMs): Promise<void> {
    await waitUntil(async () => (await this.device(customer)).state === state, {
      what: `the device is ${state}`,
      timeoutMs,
    });
  }

  /** The worker that holds the device. */
  owner(deviceId: DeviceId): Promise<string | null> {
    return readLeaseOwner(this.database, deviceId);
  }

  /** How many rows a driver keeps of the device. */
  async credentials({ deviceId }: Customer): Promise<number> {
    const rows = await this.query('SELECT 1 FROM device_credentials WHERE device_id = $1', [deviceId]);
    return rows.length;
  }

  /** Stores messages in one transaction, as a bulk request does, and enqueues nothing. */
  async accept(customer: Customer, inputs: readonly Partial<SendInput>[]): Promise<LaneJob[]> {
    const signature = randomBytes(32);
    const messages = inputs.map((input, position) => messageOf(customer, input, signature, position));
    const outcomes = await acceptTogether(this.database, messages);
    return outcomes.map((outcome, i) => {
      const message = messages[i];
      if (outcome.kind !== 'accepted' || message === undefined) throw new Error(`refused: ${JSON.stringify(outcome)}`);
      return jobOf(message, outcome);
    });
  }

  /** Puts jobs on their lanes, as the api does behind its answer. */
  async enqueue(jobs: readonly LaneJob[]): Promise<void> {
    const dropped: unknown[] = [];
    const enqueuer = createEnqueuer(this.queue, { onDropped: (_count, error) => dropped.push(error) });
    enqueuer.offer(jobs);
    await enqueuer.close();
    if (dropped.length > 0) throw new Error('jobs were dropped', { cause: dropped[0] });
  }

  async send(customer: Customer, inputs: readonly Partial<SendInput>[]): Promise<MessageId[]> {
    const jobs = await this.accept(customer, inputs);
    await this.enqueue(jobs);
    return jobs.map((job) => job.messageId);
  }

  async sendOne(customer: Customer, input: Partial<SendInput>): Promise<MessageId> {
    const [id] = await this.send(customer, [input]);
    if (id === undefined) throw new Error('nothing was sent');
    return id;
  }

  async sendTexts(
    customer: Customer,
    recipient: string,
    texts: readonly string[],
    rest: Partial<SendInput> = {},
  ): Promise<MessageId[]> {
    return this.send(
      customer,
      texts.map((text) => ({ ...rest, recipient, text })),
    );
  }

  async message(id: MessageId): Promise<{
    status: string;
    reason: string | null;
    attempts: number;
    unanswered: number;
    held: boolean;
    epoch: bigint | null;
  }> {
    const rows = await this.query<Awaited<ReturnType<Bench['message']>>>(
      `SELECT status, reason, attempts, unanswered, epoch, coalesce(held_until > now(), false) AS held
       FROM messages WHERE id = $1`,
      [id],
    );
    if (rows[0] === undefined) throw new Error(`there is no message ${id}`);
    return rows[0];
  }

  async untilStatus(id: MessageId, status: string, timeoutMs = patienceMs): Promise<void> {
    await waitUntil(
      async () => {
        const now = await this.message(id);
        if (now.status !== status) throw new Error(`it is ${now.status}`);
        return true;
      },
      { what: `the message is ${status}`, timeoutMs },
    );
  }

  async timeline({ accountId }: Customer, id: MessageId): Promise<string[]> {
    return (await readMessage(this.database, accountId, id))?.timeline.map((entry) => entry.status) ?? [];
  }

  async remainingQuota({ accountId }: Customer): Promise<number | null> {
    return (await readAccountInfo(this.database, accountId))?.remainingQuota ?? null;
  }

  async close(): Promise<void> {
    await this.closeNetwork();
    await this.queue.close();
    await this.database.close();
    await Promise.all([this.postgres.close(), this.redis.close()]);
    await this.#parts.test.drop();
    await rm(this.#parts.directory, { recursive: true });
  }

  /** With connections of its own, through the proxies. */
  #workerParts({ ackTimeoutMs = 1_000, capacity = 100 }: WorkerOptions) {
    const database = openDatabase({ url: this.postgres.url, poolSize: 8 });
    const queue = this.#connectQueue(this.redis.url);
    const driver = createSimulatorDriver({ url: this.networkUrl, ackTimeoutMs });
    const parts: WorkerParts = {
      database,
      queue,
      capacity,
      sealer: createSealer(createSecretKey(keys.master)),
      drivers: new Map([[driver.network, driver]]),
      log: createLogger({ name: 'worker', level: process.env['KURIR_TEST_LOG'] ?? 'silent', pretty: false }),
    };
    const close = async () => {
      await queue.close();
      await database.close();
    };
    return { parts, close };
  }

  #connectQueue(url: string): QueueConnection {
    return connectQueue({ url, prefix: this.#prefix, internalKey: createSecretKey(keys.internal) });
  }
}

function messageOf(customer: Customer, input: Partial<SendInput>, signature: Buffer, position: number): NewMessage {
  const { accountId, deviceId, keyId } = customer;
  const ids = { id: newId('msg'), requestId: newId('req'), accountId, deviceId, keyId };
  return { ...ids, signature, position, fingerprint: randomBytes(32), input: { ...plain, ...input } };
}

function jobOf({ deviceId, requestId, input }: NewMessage, { messageId, seq, expiresAt }: AcceptedMessage): LaneJob {
  return { messageId, deviceId, priority: priorityRanks[input.priority], seq, expiresAt, requestId };
}

async function openBench(simulator: SimulatorOptions): Promise<Bench> {
  const [test, port, redis, directory] = await Promise.all([
    createTestDatabase(),
    freePort(),
    startTcpProxy(testRedisUrl()),
    mkdtemp(join(tmpdir(), 'kurir-worker-')),
  ]);
  const bench = new Bench({ test, simulator, port, redis, directory, postgres: await startTcpProxy(test.url) });
  await bench.openNetwork();
  return bench;
}

/** Registers the file's bench; the answer gives it inside tests. Workers end with the test that started them. */
export function useBench(simulator: SimulatorOptions = {}): () => Bench {
  vi.setConfig({ testTimeout: 2 * patienceMs });
  let bench: Bench | undefined;
  beforeAll(async () => {
    bench = await openBench(simulator);
  });
  afterEach(async () => {
    await bench?.stopWorkers();
    await bench?.forgetDevices();
    await bench?.network.ask('/faults', undefined, 'DELETE');
  });
  afterAll(() => bench?.close());
  return () => {
    if (bench === undefined) throw new Error('the bench stands only inside tests');
    return bench;
  };
}
