/** PgBouncer in front of a Postgres of the tests. A test must skip if it is not installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './machine/free-port.js';
import { waitUntil } from './machine/wait-until.js';

/** Debian's package puts it where only root looks. */
const places = [process.env['KURIR_TEST_PGBOUNCER'] ?? 'pgbouncer', '/usr/sbin/pgbouncer'];
const versionOf = (program: string): [major: number, minor: number] | null => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return major === undefined || minor === undefined ? null : [Number(major), Number(minor)];
};
const program = places.find((place) => versionOf(place) !== null);
const [major, minor] = (program === undefined ? null : versionOf(program)) ?? [0, 0];

export const hasPgbouncer = program !== undefined;
export const whyNoPgbouncer = 'skipped: pgbouncer is not installed';
export const pgbouncerKnowsNames = major > 1 || minor >= 21;

export type PgbouncerOptions = {
  /** Default transaction. */
  readonly mode?: 'session' | 'transaction';
  /** Lines of the configuration. */
  readonly config?: readonly string[];
};

export type Pgbouncer = {
  readonly url: string;
  /** Safe to call twice. */
  stop(): Promise<void>;
};

/** It does not run as root. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Postgres may be away longer than PgBouncer would wait before it tries again. */
const patient = ['server_login_retry = 1', 'max_client_conn = 500', 'default_pool_size = 20'];

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]);
  socket.destroy();
  return event === 'connect';
}

/** Starts PgBouncer in front of the server of `url`. */
export async function startPgbouncer(
  url: string,
  { mode = 'transaction', config = [] }: PgbouncerOptions = {},
): Promise<Pgbouncer> {
  if (program === undefined) throw new Error(whyNoPgbouncer);
  const [port, server] = [await freePort(), new URL(url)];
  const folder = await mkdtemp(join(tmpdir(), 'kurir-pgbouncer-'));
  await chmod(folder, 0o755);
  const [user, password] = [server.username, server.password].map(decodeURIComponent);
  await writeFile(join(folder, 'users.txt'), `"${user}" "${password}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    `listen_port = ${port}`,
    'listen_addr = 127.0.0.1',
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    ...patient,
    ...config,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...(isRoot ? { uid: nobody, gid: nobody } : {}) });
  const exited = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await waitUntil(() => accepts(port), { what: 'pgbouncer accepts connections' });
  server.host = `127.0.0.1:${port}`;
  return {
    url: server.href,
    async stop() {
      process.off('exit', kill);
      kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
