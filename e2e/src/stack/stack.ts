/**
 * Kurir as processes, for one test file: a database, a simulator, an api and workers, on free ports. Tests use only
 * HTTP, command lines and signals.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@kurir/database';
import {
  createTestDatabase,
  freePort,
  nodeFlags,
  type RunningProgram,
  startPgbouncer,
  startProgram,
  startTcpProxy,
  type TcpProxy,
  testRedisUrl,
  uniqueQueuePrefix,
} from '@kurir/testing';
import { type Customer, type CustomerOptions, createCustomer, createNewcomer } from '../customers/customer.js';

export type Stack = {
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  readonly queuePrefix: string;
  readonly env: Readonly<Record<string, string>>;
  readonly api: RunningProgram;
  readonly workers: readonly RunningProgram[];
  /** The proxy between Redis and all programs. */
  readonly redis: TcpProxy;
  /** `changes` are settings that differ from those of the stack. */
  startWorker(changes?: Readonly<Record<string, string>>): Promise<RunningProgram>;
  startApi(port: number, changes?: Readonly<Record<string, string>>): Promise<RunningProgram>;
  /** Creates an account with a plan, a key and linked, connected devices. */
  createCustomer(options?: CustomerOptions): Promise<Customer>;
  /** Creates an account with a key and nothing else. */
  createNewcomer(): Promise<Customer>;
  stop(): Promise<void>;
};

const receiptDelayMs = 300;
const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

async function startSimulator(directory: string): Promise<{ program: RunningProgram; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram({
    path: 'packages/network-simulator/dist/main.js',
    args: [
      '--port',
      String(port),
      '--journal',
      join(directory, 'journal.jsonl'),
      '--receipt-delay-ms',
      String(receiptDelayMs),
    ],
    ready: `${url}/health/ready`,
  });
  return { program, url };
}

async function startWorkerProgram(env: Readonly<Record<string, string>>): Promise<RunningProgram> {
  const port = await freePort();
  return startProgram({
    path: 'apps/worker/dist/main.js',
    nodeFlags: nodeFlags(),
    env: { ...env, KURIR_HEALTH_PORT: String(port) },
    ready: `http://127.0.0.1:${port}/health/ready`,
  });
}

/** PgBouncer in transaction mode before the database, and the settings of programs behind it. */
async function putPoolerBefore(databaseUrl: string) {
  await migrate(databaseUrl, migrations, { pooler: 'transaction' });
  const pgbouncer = await startPgbouncer(databaseUrl);
  return { pgbouncer, settings: { DATABASE_URL: pgbouncer.url, KURIR_DATABASE_POOLER: 'transaction' } };
}

export type StackOptions = {
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the programs reach Postgres through PgBouncer. `env` of the stack has the address of Postgres itself. */
  readonly pooler?: boolean;
};

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = await mkdtemp(join(tmpdir(), 'kurir-e2e-'));
  const [database, redis, simulator, apiPort] = await Promise.all([
    createTestDatabase(),
    startTcpProxy(testRedisUrl()),
    startSimulator(directory),
    freePort(),
  ]);
  const baseUrl = `http://127.0.0.1:${apiPort}`;
  const queuePrefix = uniqueQueuePrefix();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KURIR_QUEUE_PREFIX: queuePrefix,
    KURIR_MASTER_KEY: randomBytes(32).toString('base64'),
    KURIR_INTERNAL_KEY: randomBytes(32).toString('base64'),
    KURIR_SIMULATOR_URL: simulator.url,
    KURIR_ACK_TIMEOUT_MS: '1000',
    PORT: String(apiPort),
    ...options.env,
  };
  const behind = options.pooler === true ? await putPoolerBefore(database.url) : null;
  const ofPrograms = { ...env, ...behind?.settings };
  const workers: RunningProgram[] = [];
  const apis: RunningProgram[] = [];
  const startWorker = async (changes: Readonly<Record<string, string>> = {}) => {
    const worker = await startWorkerProgram({ ...ofPrograms, ...changes });
    workers.push(worker);
    return worker;
  };
  const startApi = async (port: number, changes: Readonly<Record<string, string>> = {}) => {
    const started = await startProgram({
      path: 'apps/api/dist/main.js',
      nodeFlags: nodeFlags(),
      env: { ...ofPrograms, PORT: String(port), ...changes },
      ready: `http://127.0.0.1:${port}/health/ready`,
    });
    apis.push(started);
    return started;
  };
  const [api] = await Promise.all([
    startApi(apiPort),
    ...Array.from({ length: options.workers ?? 1 }, () => startWorker()),
  ]);
  return {
    baseUrl,
    simulatorUrl: simulator.url,
    queuePrefix,
    env,
    api,
    workers,
    redis,
    startWorker,
    startApi,
    createCustomer: (customerOptions) => createCustomer({ baseUrl, env }, customerOptions),
    createNewcomer: () => createNewcomer({ baseUrl, env }),
    async stop() {
      await Promise.all([...apis, ...workers, simulator.program].map((program) => program.kill()));
      await redis.close();
      await behind?.pgbouncer.stop();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}
