/** Further Postgres servers for tests that need their own: a primary and its standby, or one with TLS. They need Linux. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { testSetting } from './environment.js';
import { freePort } from './machine/free-port.js';
import { waitUntil } from './machine/wait-until.js';

type Programs = { readonly folder: string; readonly ids: { readonly uid?: number; readonly gid?: number } };

export type PostgresServer = {
  readonly data: string;
  readonly port: number;
  urlOf(database: string): string;
  /** Starts it on its port, and waits for its first answer. `settings` are like `ssl=on`. */
  start(settings?: readonly string[]): Promise<void>;
  /** Ends it. Safe to call twice. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Runs a statement on a connection of its own, as the superuser. */
  ask<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Writes a file into the data, for Postgres' user. */
  write(name: string, text: string): void;
};

/** The primary waits for the standby, so the standby lacks nothing that was committed. */
export type PostgresPair = {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The address of both, the standby first. */
  readonly url: string;
  promote(): Promise<void>;
};

export type PostgresServers = {
  /** A new, empty server that has not started. It accepts connections from this machine. */
  create(): Promise<PostgresServer>;
  /** A standby of a server that is stopped. It has not started. */
  createStandbyOf(primary: PostgresServer): Promise<PostgresServer>;
  startPair(): Promise<PostgresPair>;
  /** Kills all servers and removes their data. */
  remove(): Promise<void>;
};

export const whyNoPostgresServers = 'Postgres runs on another machine, or this is not Linux';

/** The programs of the tests' server and their user, because Postgres does not run as root. */
async function findPrograms(): Promise<Programs | null> {
  if (process.platform !== 'linux') return null;
  const [row] = await askOnce<{ data_directory: string }>(testSetting('KURIR_TEST_ADMIN_URL'), 'SHOW data_directory');
  const file = join(row?.data_directory ?? '', 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [pid] = readFileSync(file, 'utf8').split('\n');
  const { uid, gid } = statSync(dirname(file));
  return { folder: dirname(readlinkSync(`/proc/${pid}/exe`)), ids: process.getuid?.() === 0 ? { uid, gid } : {} };
}

async function askOnce<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

function makeFolder({ ids: { uid, gid } }: Programs): string {
  const folder = mkdtempSync('/var/tmp/kurir-postgres-');
  chmodSync(folder, 0o700);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

function openServer(programs: Programs, data: string, port: number): PostgresServer {
  const { folder, ids } = programs;
  let child: ChildProcess | null = null;
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const ask: PostgresServer['ask'] = (sql, values) => askOnce(urlOf('postgres'), sql, values);
  return {
    data,
    port,
    urlOf,
    ask,
    async start(more = []) {
      const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...more];
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
      child = spawn(join(folder, 'postgres'), args, { cwd: data, stdio: 'ignore', ...ids });
      await waitUntil(
        () =>
          ask('SELECT 1').then(
            () => true,
            () => false,
          ),
        { what: 'Postgres answers', timeoutMs: 60_000 },
      );
    },
    async end(signal) {
      const ended = child;
      child = null;
      if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return;
      ended.kill(signal);
      await once(ended, 'exit');
    },
    write(name, text) {
      const path = join(data, name);
      writeFileSync(path, text, { mode: 0o600 });
      if (ids.uid !== undefined && ids.gid !== undefined) chownSync(path, ids.uid, ids.gid);
    },
  };
}

async function startPair({ create, createStandbyOf }: Pick<PostgresServers, 'create' | 'createStandbyOf'>) {
  const primary = await create();
  await primary.start();
  await primary.end('SIGINT');
  const standby = await createStandbyOf(primary);
  await primary.start();
  await standby.start();
  const waitFor = async (server: PostgresServer, names: string) => {
    await server.ask(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await server.ask('SELECT pg_reload_conf()');
  };
  await waitFor(primary, 'standby');
  const url = new URL(standby.urlOf('kurir'));
  return {
    primary,
    standby,
    url: url.href.replace(url.host, `${url.host},127.0.0.1:${primary.port}`),
    async promote() {
      await standby.ask('SELECT pg_promote()');
      await waitFor(standby, '');
    },
  };
}

/** Null: this machine cannot start any. `folder`: the programs of another Postgres than that of the tests. */
export async function openPostgresServers(folder?: string): Promise<PostgresServers | null> {
  const found = await findPrograms();
  if (found === null) return null;
  const programs = { ...found, folder: folder ?? found.folder };
  const folders: string[] = [];
  const servers: PostgresServer[] = [];
  const open = async (data: string) => {
    const server = openServer(programs, data, await freePort());
    servers.push(server);
    return server;
  };
  const newData = () => {
    const folder = makeFolder(programs);
    folders.push(folder);
    return join(folder, 'data');
  };
  const create = async () => {
    const data = newData();
    const args = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const options = { cwd: dirname(data), stdio: 'ignore', ...programs.ids } as const;
    execFileSync(join(programs.folder, 'initdb'), args, options);
    return open(data);
  };
  const createStandbyOf = async (primary: PostgresServer) => {
    const data = newData();
    cpSync(primary.data, data, { recursive: true, preserveTimestamps: true });
    writeFileSync(join(data, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    const { uid, gid } = programs.ids;
    if (uid !== undefined && gid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, dirname(data)]);
    return open(data);
  };
  return {
    create,
    createStandbyOf,
    startPair: () => startPair({ create, createStandbyOf }),
    async remove() {
      for (const server of servers) await server.end('SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
