/** Starts the gateway that is measured as it runs in production: a database, a network, an api and a worker. */
import { freePort } from '@kurir/testing';
import type { Load } from '../load/load.js';
import { type NetworkName, startNetwork } from '../network/network.js';
import { type MeasuredProcess, startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import type { Clocked } from '../readings/cpu-time.js';
import { type BenchAccount, createBenchAccount } from './bench-account.js';
import { type Ground, openGround } from './ground.js';
import { type DevicePlan, linkDevices } from './link-devices.js';
import { postgresProcess, redisProcess } from './servers.js';

export type MeasuredGateway = Pick<Ground, 'database' | 'lanes' | 'network'> & {
  readonly ground: Ground;
  readonly api: MeasuredProcess;
  readonly worker: MeasuredProcess;
  readonly apiPort: number;
  readonly account: BenchAccount;
  readonly deviceIds: readonly string[];
  /**
   * The processes whose CPU time counts: first the process under test, then the servers it uses, then the generator.
   */
  clocked(underTest: 'api' | 'worker', load: Load): Clocked[];
};

async function startApi(
  setting: Setting,
  { env }: Ground,
  more: Readonly<Record<string, string>> = {},
): Promise<{ api: MeasuredProcess; apiPort: number }> {
  const apiPort = await freePort();
  const api = await startMeasuredProcess(setting, {
    path: 'apps/api/dist/main.js',
    env: { ...env, ...more, PORT: String(apiPort) },
    ready: `http://127.0.0.1:${apiPort}/health/ready`,
    measuredAs: 'api',
  });
  return { api, apiPort };
}

/** `env` adds to the settings of `ground`. */
export async function startWorker(
  setting: Setting,
  ground: Ground,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredProcess> {
  const port = await freePort();
  return startMeasuredProcess(setting, {
    path: 'apps/worker/dist/main.js',
    env: { ...ground.env, KURIR_HEALTH_PORT: String(port), ...env },
    ready: `http://127.0.0.1:${port}/health/ready`,
    measuredAs: 'worker',
  });
}

/** Starts one more api on the same ground. */
export async function startAnotherApi(
  setting: Setting,
  { ground }: MeasuredGateway,
): Promise<{ pid: number; port: number }> {
  const { api, apiPort } = await startApi(setting, ground);
  return { pid: api.pid, port: apiPort };
}

export const startAnotherWorker = (setting: Setting, { ground }: MeasuredGateway): Promise<MeasuredProcess> =>
  startWorker(setting, ground);

export type GatewayPlan = DevicePlan & {
  /** Defaults to the simulator. */
  readonly network?: NetworkName;
  readonly apiEnv?: Readonly<Record<string, string>>;
  readonly workerEnv?: Readonly<Record<string, string>>;
};

export async function startMeasuredGateway(setting: Setting, plan: GatewayPlan): Promise<MeasuredGateway> {
  const network = await startNetwork(setting, plan.network ?? 'simulator');
  const ground = await openGround(setting, network);
  const { database, lanes, masterKey } = ground;
  const account = await createBenchAccount(database, masterKey);
  const [{ api, apiPort }, worker] = await Promise.all([
    startApi(setting, ground, plan.apiEnv),
    startWorker(setting, ground, plan.workerEnv),
  ]);
  const deviceIds = await linkDevices({ database, network, accountId: account.accountId, tell: setting.tell }, plan);
  const servers = [...(await postgresProcess(database, ground.databaseUrl)), ...(await redisProcess())];
  const clocked = (underTest: 'api' | 'worker', load: Load) => {
    const others = underTest === 'api' ? { name: 'worker', pid: worker.pid } : { name: 'network', pid: network.pid };
    return [{ name: underTest, pid: { api, worker }[underTest].pid }, ...servers, others, load.clocked];
  };
  return { ground, database, lanes, network, api, worker, apiPort, account, deviceIds, clocked };
}
