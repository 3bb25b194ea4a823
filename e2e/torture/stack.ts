/** Everything under attack, started in order and stopped in reverse. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate } from '@kurir/database';
import { type Customer, openCustomers } from './customers.js';
import type { Fleet } from './fleet.js';
import { installLeaseLog } from './lease-log.js';
import { createProduct, type Product } from './product.js';
import { type ServerCommands, type Servers, startServers } from './servers.js';

export type StackOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly fleet: Fleet;
  readonly workers: number;
  readonly imports: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly tell: (text: string) => void;
};

export type Stack = {
  readonly servers: Servers;
  readonly product: Product;
  readonly customers: readonly Customer[];
  readonly deviceIds: readonly string[];
  stop(): Promise<void>;
};

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

async function startProduct(options: StackOptions, servers: Servers): Promise<Product> {
  const product = await createProduct({
    directory: options.directory,
    databaseUrl: servers.databaseUrl,
    redisUrl: servers.redisProxy.url,
    workers: options.workers,
    imports: options.imports,
    env: options.env,
  });
  await product.start();
  return product;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { commands, directory, tell } = options;
  mkdirSync(directory, { recursive: true });
  const servers = await startServers(commands, directory);
  const stops: (() => Promise<void>)[] = [servers.stop];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    await migrate(commands.postgres.url, migrations);
    await installLeaseLog(servers.database);
    const product = await startProduct(options, servers);
    stops.push(product.stop);
    tell(`${product.apis.length} apis and ${product.workers.length} workers answer`);
    const { masterKey, simulatorUrl } = product;
    const surroundings = { database: servers.database, simulatorUrl, masterKey, directory };
    const customers = await openCustomers(surroundings, options.fleet);
    const deviceIds = customers.flatMap((customer) => customer.deviceIds);
    tell(`${deviceIds.length} devices of ${customers.length} accounts are connected`);
    return { servers, product, customers, deviceIds, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
