/**
 * The gateway as an operator runs it: two apis and several workers, built, as processes. The simulated network belongs
 * to it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, nodeFlags } from '@kurir/testing';
import { forgetApplied, mutationLogOf } from '../records/mutation-log.js';
import { type Command, SupervisedProcess } from './supervised-process.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dieWithParent = new URL('../../../scripts/local/die-with-parent.mjs', import.meta.url).href;
const skewClock = new URL('./skew-clock.js', import.meta.url).href;
const fromOutside = ['PATH', 'HOME', 'TMPDIR', 'TZ'];
const receiptDelayMs = 100;
/** Longer than a busy machine delays an answer of the simulator, and shorter than a person would wait. */
const acknowledgedWithinMs = 4_000;

export type GatewayOptions = {
  readonly directory: string;
  readonly databaseUrl: string;
  readonly redisSettings: Readonly<Record<string, string>>;
  readonly workers: number;
  /** Modules that Node loads before the program: a mutation. */
  readonly imports: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The checkout whose programs start next. Left out: this one. */
  readonly checkout?: (() => string) | undefined;
};

export type Worker = { readonly program: SupervisedProcess; readonly clockFile: string };

export type AttackedGateway = {
  readonly simulator: SupervisedProcess;
  readonly simulatorUrl: string;
  readonly networkJournal: string;
  readonly apis: readonly SupervisedProcess[];
  readonly apiPorts: readonly number[];
  readonly workers: readonly Worker[];
  readonly masterKey: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const outside = Object.fromEntries(
  fromOutside.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  }),
);

export async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.ok;
}

type NodeOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Modules that Node loads before the program. */
  readonly imports?: readonly string[];
  readonly flags?: readonly string[];
  readonly checkout?: string | undefined;
};

function nodeCommand(entry: string, options: NodeOptions): Command {
  const { args = [], env = {}, imports = [], flags = [], checkout = root } = options;
  const loaded = [dieWithParent, ...imports].flatMap((module) => ['--import', module]);
  const all = [...flags, ...loaded, join(checkout, entry), ...args];
  return { file: process.execPath, args: all, env: { ...outside, ...env }, cwd: checkout };
}

type Keys = { readonly master: string; readonly internal: string };

/** Reads the keys of an interrupted run, or makes new ones. */
function keysIn(directory: string): Keys {
  const path = join(directory, 'keys.json');
  if (!existsSync(path)) {
    const made = { master: randomBytes(32).toString('base64'), internal: randomBytes(32).toString('base64') };
    writeFileSync(path, JSON.stringify(made), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Keys; // this program wrote the file
}

const settingsOf = (options: GatewayOptions, keys: Keys, simulatorUrl: string) => ({
  NODE_ENV: 'production',
  DATABASE_URL: options.databaseUrl,
  ...options.redisSettings,
  KURIR_MASTER_KEY: keys.master,
  KURIR_INTERNAL_KEY: keys.internal,
  KURIR_SIMULATOR_URL: simulatorUrl,
  KURIR_ACK_TIMEOUT_MS: String(acknowledgedWithinMs),
  KURIR_RATE_LIMIT_PER_MINUTE: '10000000',
  KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback',
  ...options.env,
});

function supervise(directory: string, name: string, port: number, command: () => Command): SupervisedProcess {
  const ready = () => answersOk(`http://127.0.0.1:${port}/health/ready`);
  return new SupervisedProcess({ name, command, ready, logFile: join(directory, `${name}.log`) });
}

const createSimulator = (directory: string, simulatorPort: number, networkJournal: string) =>
  supervise(directory, 'simulator', simulatorPort, () =>
    nodeCommand('packages/network-simulator/dist/main.js', {
      args: [
        '--port',
        String(simulatorPort),
        '--journal',
        networkJournal,
        '--receipt-delay-ms',
        String(receiptDelayMs),
      ],
    }),
  );

type Settings = Readonly<Record<string, string>>;

/** The settings of a program that may be a mutant. */
function mutableSettings(settings: Settings, directory: string, name: string): Settings {
  forgetApplied(directory, name);
  return { ...settings, TORTURE_MUTATION_LOG: mutationLogOf(directory, name) };
}

function createApi({ directory, imports, checkout }: GatewayOptions, settings: Settings, name: string, port: number) {
  const env = { ...mutableSettings(settings, directory, name), PORT: String(port) };
  const command = () =>
    nodeCommand('apps/api/dist/main.js', { checkout: checkout?.(), env, imports, flags: nodeFlags() });
  return supervise(directory, name, port, command);
}

function createWorker(options: GatewayOptions, settings: Settings, name: string, port: number): Worker {
  const { directory } = options;
  const clockFile = join(directory, `${name}.clock`);
  const mutable = mutableSettings(settings, directory, name);
  const env = { ...mutable, KURIR_HEALTH_PORT: String(port), TORTURE_CLOCK_FILE: clockFile };
  const imports = [skewClock, ...options.imports];
  const command = () =>
    nodeCommand('apps/worker/dist/main.js', { checkout: options.checkout?.(), env, imports, flags: nodeFlags() });
  return { program: supervise(directory, name, port, command), clockFile };
}

export async function createAttackedGateway(options: GatewayOptions): Promise<AttackedGateway> {
  const { directory } = options;
  const [simulatorPort = 0, ...ports] = await Promise.all(
    Array.from({ length: 3 + options.workers }, () => freePort()),
  );
  const [apiPorts, healthPorts] = [ports.slice(0, 2), ports.slice(2)];
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const networkJournal = join(directory, 'network.jsonl');
  const keys = keysIn(directory);
  const settings = settingsOf(options, keys, simulatorUrl);
  const simulator = createSimulator(directory, simulatorPort, networkJournal);
  const apis = apiPorts.map((port, i) => createApi(options, settings, `api-${i + 1}`, port));
  const workers = healthPorts.map((port, i) => createWorker(options, settings, `worker-${i + 1}`, port));
  const attacked = [...apis, ...workers.map((worker) => worker.program)];
  return {
    simulator,
    simulatorUrl,
    networkJournal,
    apis,
    apiPorts,
    workers,
    masterKey: keys.master,
    async start() {
      simulator.start();
      await simulator.untilReady();
      for (const each of attacked) each.start();
      await Promise.all(attacked.map((each) => each.untilReady()));
    },
    async stop() {
      await Promise.all(attacked.map((each) => each.stop()));
      await simulator.stop();
    },
  };
}
