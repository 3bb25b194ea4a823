/** A standby that lacks the newest events takes over. The test runs two servers of the same Postgres as all tests. */
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
import { fileURLToPath } from 'node:url';
import { freePort, waitUntil } from '@kurir/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { migrate } from '../postgres/migrate.js';
import { isLost, readEndOfLog, readEvents } from './events.js';

const fixture = useDatabaseFixture();
const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const patience = { timeoutMs: 60_000 };

type Server = { readonly data: string; readonly port: number; process: ChildProcess | null };
type Programs = { readonly folder: string; readonly ids: { readonly uid?: number; readonly gid?: number } };

const servers: Server[] = [];
const databases: Database[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close().catch(() => undefined)));
  for (const server of servers) await end(server, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * The programs of the running server and their user, because Postgres does not run as root. Null: not on this machine.
 */
async function findPrograms(): Promise<Programs | null> {
  const [row] = await fixture().query<{ data_directory: string }>('SHOW data_directory');
  const data = row?.data_directory ?? '';
  if (!existsSync(join(data, 'postmaster.pid'))) return null;
  const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const { uid, gid } = statSync(data);
  const isRoot = process.getuid?.() === 0;
  return { folder: dirname(readlinkSync(`/proc/${pid}/exe`)), ids: isRoot ? { uid, gid } : {} };
}

function makeFolder({ ids }: Programs): string {
  const folder = mkdtempSync('/var/tmp/kurir-failover-');
  folders.push(folder);
  chmodSync(folder, 0o700);
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(folder, ids.uid, ids.gid);
  return folder;
}

async function start(programs: Programs, data: string): Promise<Server> {
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(programs.folder, 'postgres'), args, { cwd: data, stdio: 'ignore', ...programs.ids });
  const server = { data, port, process: child };
  servers.push(server);
  return server;
}

async function end(server: Server, signal: NodeJS.Signals): Promise<void> {
  const { process: child } = server;
  server.process = null;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const urlOf = ({ port }: Server, name = 'kurir') => `postgresql://postgres@127.0.0.1:${port}/${name}`;

function open(server: Server): Database {
  const database = openDatabase({ url: urlOf(server), poolSize: 2 });
  databases.push(database);
  return database;
}

/** Asks over a connection of its own, because a pool refuses a standby. Returns the number of rows. */
async function ask(server: Server, sql: string, values: readonly unknown[] = []): Promise<number | null> {
  const client = new pg.Client({ connectionString: urlOf(server) });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount;
  } finally {
    await client.end();
  }
}

const answers = (ask: () => Promise<unknown>) =>
  waitUntil(
    () =>
      ask().then(
        () => true,
        () => false,
      ),
    { what: 'the server answers', ...patience },
  );

async function positionOfLast(database: Database, accountId: Awaited<ReturnType<typeof createAccount>>) {
  const { rows } = await database.pool.query<{ generation: bigint; xid: string; seq: bigint }>(
    'SELECT generation, xid::text AS xid, seq FROM events WHERE account_id = $1 ORDER BY generation DESC, xid DESC, seq DESC LIMIT 1',
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('there is no event');
  return { generation: row.generation, xid: BigInt(row.xid), seq: row.seq };
}

const rename = ({ pool }: Database, accountId: string, name: string) =>
  pool.query('UPDATE accounts SET name = $2 WHERE id = $1', [accountId, name]);

test.runIf(process.platform === 'linux')(
  'a reader that saw a lost event must start again, and any other misses nothing (Linux: it needs /proc)',
  async (context) => {
    const programs = await findPrograms();
    if (programs === null) return context.skip('Postgres runs on another machine');
    const [one, two] = [join(makeFolder(programs), 'data'), join(makeFolder(programs), 'data')];
    const initdb = ['-D', one, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(programs.folder, 'initdb'), initdb, { cwd: dirname(one), stdio: 'ignore', ...programs.ids });
    let primary = await start(programs, one);
    await answers(() => migrate(urlOf(primary), migrations));
    await end(primary, 'SIGINT');
    cpSync(one, two, { recursive: true, preserveTimestamps: true });
    const { uid, gid } = programs.ids;
    if (uid !== undefined && gid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, dirname(two)]);

    primary = await start(programs, one);
    const before = open(primary);
    await answers(() => before.pool.query('SELECT 1'));
    const accountId = await createAccount(before, 'test');
    const from = await readEndOfLog(before);
    writeFileSync(join(two, 'standby.signal'), '');
    appendFileSync(
      join(two, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`,
    );
    let standby = await start(programs, two);
    await answers(() => ask(standby, 'SELECT 1'));
    await rename(before, accountId, 'replicated');
    const replicated = await positionOfLast(before, accountId);
    await waitUntil(async () => (await ask(standby, 'SELECT 1 FROM events WHERE seq = $1', [replicated.seq])) === 1, {
      what: 'the standby has the event',
      ...patience,
    });
    await end(standby, 'SIGINT');
    await rename(before, accountId, 'lost');
    const lost = await positionOfLast(before, accountId);
    expect((await readEvents(before, [accountId], from, 10)).events).toHaveLength(2);
    await end(primary, 'SIGKILL');

    standby = await start(programs, two);
    await answers(() => ask(standby, 'SELECT 1'));
    const after = open(standby);
    await expect(after.pool.query('SELECT 1')).rejects.toThrow('the database is read-only');
    await ask(standby, 'SELECT pg_promote()');
    await answers(() => after.pool.query('SELECT 1'));
    await rename(after, accountId, 'after');
    expect(await isLost(after, lost)).toBe(true);
    const { events } = await readEvents(after, [accountId], replicated, 10);
    expect(events.map(({ position }) => position.generation)).toEqual([replicated.generation + 1n]);
    expect((await readEvents(after, [accountId], from, 10)).events.map(({ kind }) => kind)).toEqual([
      'account.changed',
      'account.changed',
    ]);
  },
  120_000,
);
