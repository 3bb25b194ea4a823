/** The product under test: a database of its own, the network simulator, the api and a worker, as in production. */
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@kurir/database';
import { createTestDatabase, freePort, testRedisUrl, uniqueQueuePrefix } from '@kurir/testing';
import { type Customer, createCustomer } from './customer.js';
import { type Lanes, openLanes } from './lanes.js';
import { type DevicePlan, linkDevices } from './link-devices.js';
import type { Setting } from './measure.js';
import { type Program, startProgram } from './program.js';

/** On, with all its work per request, and never reached. */
const requestsPerMinute = 10_000_000;
const receiptDelayMs = 20;

export type Product = {
  readonly api: Program;
  readonly worker: Program;
  readonly apiPort: number;
  readonly database: Database;
  readonly lanes: Lanes;
  readonly customer: Customer;
  readonly deviceIds: readonly string[];
};

type Addresses = { readonly api: number; readonly health: number; readonly simulator: number };

function settingsOf(databaseUrl: string, queuePrefix: string, ports: Addresses): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    KURIR_QUEUE_PREFIX: queuePrefix,
    KURIR_MASTER_KEY: randomBytes(32).toString('base64'),
    KURIR_INTERNAL_KEY: randomBytes(32).toString('base64'),
    KURIR_SIMULATOR_URL: `http://127.0.0.1:${ports.simulator}`,
    KURIR_RATE_LIMIT_PER_MINUTE: String(requestsPerMinute),
    KURIR_HEALTH_PORT: String(ports.health),
    PORT: String(ports.api),
  };
}

async function startPrograms(setting: Setting, env: Record<string, string>, ports: Addresses) {
  const readyAt = (port: number) => `http://127.0.0.1:${port}/health/ready`;
  await startProgram(setting, {
    path: 'packages/network-simulator/dist/main.js',
    args: ['--port', String(ports.simulator), '--receipt-delay-ms', String(receiptDelayMs)],
    ready: readyAt(ports.simulator),
  });
  const [api, worker] = await Promise.all([
    startProgram(setting, { path: 'apps/api/dist/main.js', env, ready: readyAt(ports.api), profileAs: 'api' }),
    startProgram(setting, { path: 'apps/worker/dist/main.js', env, ready: readyAt(ports.health), profileAs: 'worker' }),
  ]);
  return { api, worker };
}

async function openOwnDatabase({ cleanup }: Setting): Promise<{ database: Database; url: string }> {
  const { url, drop } = await createTestDatabase();
  cleanup.add(drop);
  const database = openDatabase({ url, poolSize: 4 });
  cleanup.add(() => database.close());
  return { database, url };
}

export async function startProduct(setting: Setting, options: DevicePlan): Promise<Product> {
  const { database, url } = await openOwnDatabase(setting);
  const [api, health, simulator] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = { api, health, simulator };
  const queuePrefix = uniqueQueuePrefix();
  const env = settingsOf(url, queuePrefix, ports);
  const customer = await createCustomer(database, env['KURIR_MASTER_KEY'] ?? '');
  const programs = await startPrograms(setting, env, ports);
  const simulatorUrl = env['KURIR_SIMULATOR_URL'] ?? '';
  const deviceIds = await linkDevices({ database, simulatorUrl, accountId: customer.accountId }, options);
  setting.tell(`${deviceIds.length} devices are linked and connected`);
  const lanes = openLanes(setting, queuePrefix);
  return { ...programs, apiPort: ports.api, database, lanes, customer, deviceIds };
}
