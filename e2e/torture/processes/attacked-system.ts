/** Starts everything under attack in order, and stops it in reverse order. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate } from '@kurir/database';
import type { DevicePlan } from '../plan/device-plan.js';
import { installLeaseLog } from '../records/lease-log.js';
import { type AttackedAccount, openAttackedAccounts } from './attacked-accounts.js';
import { type AttackedGateway, createAttackedGateway } from './attacked-gateway.js';
import { type ServerCommands, type Servers, startServers } from './servers.js';

export type SystemOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly devicePlan: DevicePlan;
  readonly workers: number;
  readonly imports: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The checkout whose programs start next. Left out: this one. */
  readonly checkout?: (() => string) | undefined;
  readonly tell: (text: string) => void;
};

export type AttackedSystem = {
  readonly servers: Servers;
  readonly gateway: AttackedGateway;
  readonly accounts: readonly AttackedAccount[];
  readonly deviceIds: readonly string[];
  stop(): Promise<void>;
};

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

const poolerOf = ({ postgres }: ServerCommands) => (postgres.pooler ? 'transaction' : 'none');

async function startAttackedGateway(options: SystemOptions, servers: Servers): Promise<AttackedGateway> {
  const gateway = await createAttackedGateway({
    directory: options.directory,
    databaseUrl: servers.databaseUrl,
    redisSettings: servers.redisSettings,
    workers: options.workers,
    imports: options.imports,
    env: { KURIR_DATABASE_POOLER: poolerOf(options.commands), ...options.env },
    checkout: options.checkout,
  });
  await gateway.start();
  return gateway;
}

export async function startAttackedSystem(options: SystemOptions): Promise<AttackedSystem> {
  const { commands, directory, tell } = options;
  mkdirSync(directory, { recursive: true });
  const servers = await startServers(commands, directory);
  const stops: (() => Promise<void>)[] = [servers.stop];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    await migrate(commands.postgres.url, migrations, { pooler: poolerOf(commands) });
    await installLeaseLog(servers.database);
    const gateway = await startAttackedGateway(options, servers);
    stops.push(gateway.stop);
    tell(`${gateway.apis.length} apis and ${gateway.workers.length} workers answer`);
    const { masterKey, simulatorUrl } = gateway;
    const surroundings = { database: servers.database, simulatorUrl, masterKey, directory };
    const accounts = await openAttackedAccounts(surroundings, options.devicePlan);
    const deviceIds = accounts.flatMap((account) => account.deviceIds);
    tell(`${deviceIds.length} devices of ${accounts.length} accounts are connected`);
    return { servers, gateway, accounts, deviceIds, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
