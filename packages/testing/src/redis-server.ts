/** Further Redis servers for tests that need one of their own: a replica, a node of a Cluster, a full one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

const setting = process.env['KURIR_TEST_REDIS_SERVER'];
/** Whether a test can start a server of its own. */
export const hasRedisServer = setting !== undefined;
export const whyNoRedisServer = 'the tests use REDIS_URL or js-redis-server, and know no redis-server';

export type RedisServer = { readonly port: number; readonly url: string; stop(): Promise<void> };

export type RedisServerOptions = {
  /** Lines of the configuration, such as `replicaof 127.0.0.1 6379`. */
  readonly config?: readonly string[];
  readonly sentinel?: boolean;
};

/** Starts a server that keeps nothing on disk. */
export async function startRedisServer({ config = [], sentinel = false }: RedisServerOptions): Promise<RedisServer> {
  // `npm test` writes the setting (scripts/servers/throwaway.mjs).
  const program = JSON.parse(setting ?? 'null') as { command: string; env: Record<string, string> } | null;
  if (program === null) throw new Error(whyNoRedisServer);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'kurir-redis-'));
  // A Sentinel knows no settings of data, and writes into its file.
  const data = sentinel ? [] : ['save ""', 'appendonly no'];
  const file = join(folder, 'redis.conf');
  await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...data, ...config, ''].join('\n'));
  const child = spawn(program.command, [file, ...(sentinel ? ['--sentinel'] : [])], {
    env: { ...process.env, ...program.env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await waitUntil(() => answers(port), { what: 'redis-server answers' });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', kill);
      kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('error', () => resolve(false));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
  });
}
