/** Further Redis servers for tests that need one of their own: a replica, a node of a Cluster, a full one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.js';
import { waitUntil } from '../machine/wait-until.js';
import type { CertificateFiles } from '../machine/certificate-files.js';
import { askRedis } from './ask-redis.js';

const setting = process.env['KURIR_TEST_REDIS_SERVER'];
/** Whether a test can start a server of its own. */
export const hasRedisServer = setting !== undefined;
export const whyNoRedisServer = 'the tests use REDIS_URL or js-redis-server, and know no redis-server';

export type RedisServer = {
  readonly port: number;
  readonly url: string;
  /** The address with TLS, if the server has a certificate. */
  readonly tlsUrl: string;
  /** Sends one command. Returns the reply as Redis wrote it. */
  ask(command: string): Promise<string>;
  /** Ends the process as a power cut does. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Starts the process again, on the same port and with the same configuration. Resolves when it is ready. */
  start(): Promise<void>;
  /** Ends the process for good. */
  stop(): Promise<void>;
};

export type RedisServerOptions = {
  /** Lines of the configuration, such as `replicaof 127.0.0.1 6379`. */
  readonly config?: readonly string[];
  readonly sentinel?: boolean;
  /** Clients must give it. */
  readonly password?: string;
  /** Adds a port with TLS, where clients must show a certificate that this one signed. */
  readonly certificate?: CertificateFiles;
};

type Program = { readonly command: string; readonly env: Record<string, string> };

const tlsLines = (port: number, { certificateFile, keyFile }: CertificateFiles) => [
  `tls-port ${port}`,
  `tls-cert-file ${certificateFile}`,
  `tls-key-file ${keyFile}`,
  `tls-ca-cert-file ${certificateFile}`,
];

/** Writes the configuration of a server that keeps nothing on disk. Returns its folder and file. */
async function configure(port: number, { config = [], sentinel = false, password, certificate }: RedisServerOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'kurir-redis-'));
  // A Sentinel knows no settings of data, and writes into its file.
  const data = sentinel ? [] : ['save ""', 'appendonly no'];
  const tlsPort = await freePort();
  // By itself, Redis takes a port for its bus that an outgoing connection may have.
  const isNode = config.includes('cluster-enabled yes') && !config.some((line) => line.startsWith('cluster-port'));
  const bus = isNode ? [`cluster-port ${await freePort()}`] : [];
  const tls = certificate === undefined ? [] : tlsLines(tlsPort, certificate);
  const secret =
    password === undefined ? [] : [`requirepass ${password}`, ...(sentinel ? [] : [`masterauth ${password}`])];
  const file = join(folder, 'redis.conf');
  const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...data, ...secret, ...tls, ...bus, ...config, ''];
  await writeFile(file, lines.join('\n'));
  return { folder, file, tlsPort };
}

/** Starts a server that keeps nothing on disk. */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  // `npm test` writes the setting (scripts/servers/throwaway.mjs).
  const program = JSON.parse(setting ?? 'null') as Program | null;
  if (program === null) throw new Error(whyNoRedisServer);
  const { sentinel = false, password } = options;
  const port = await freePort();
  const { folder, file, tlsPort } = await configure(port, options);
  let child: ChildProcess | null = null;
  const end = () => void child?.kill('SIGKILL');
  process.once('exit', end);
  const ask = (command: string) => askRedis(port, command, password);
  const answers = () =>
    ask('PING').then(
      (reply) => reply.startsWith('+PONG'),
      () => false,
    );

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    end();
    await exited;
  }

  async function start(): Promise<void> {
    child = spawn(program?.command ?? '', [file, ...(sentinel ? ['--sentinel'] : [])], {
      env: { ...process.env, ...program?.env },
      stdio: 'ignore',
    });
    await waitUntil(answers, { what: 'redis-server answers' });
  }

  await start();
  const access = password === undefined ? '' : `:${password}@`;
  return {
    port,
    url: `redis://${access}127.0.0.1:${port}`,
    tlsUrl: `rediss://${access}127.0.0.1:${tlsPort}`,
    ask,
    kill,
    signal: (signal) => void child?.kill(signal),
    start,
    async stop() {
      process.off('exit', end);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
