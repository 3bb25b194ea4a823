// A Postgres of our own from an npm package. It is durable for `npm start`. For tests it is temporary and has no fsync.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { foreignCommand } from '../local/commands.mjs';
import { freePort } from '../local/ports.mjs';
import { canReach, findPostgres, postgresProgram, sharedFolder } from './postgres-binaries.mjs';
import { commandOf, pidIn } from '../local/processes.mjs';
import { until } from '../local/until.mjs';

const run = promisify(execFile);
const FAST_SHUTDOWN = 'SIGINT';
const WITHOUT_FSYNC = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** The settings of docker-compose.yml. */
const AS_IN_PRODUCTION = ['min_wal_size=4GB', 'max_wal_size=4GB'];

/**
 * Prepares a cluster below `home` and returns `{spec, url(database), pidFile}`, with a `spec` for `Program`. A
 * temporary cluster removes `home` when it stops. The password keeps other users of this machine out. `major` and
 * `programs` are as in `findPostgres`.
 */
export async function preparePostgres({ home, throwaway = false, fsync = !throwaway, major = null, programs = null }) {
  const postgres = await findPostgres({ major, programs });
  const base = placeFor(home, postgres.user);
  const data = join(base, 'data');
  const password = passwordIn(base, postgres.user);
  await createCluster({ postgres, base, data, sync: !throwaway });
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(fsync ? [] : WITHOUT_FSYNC),
    ...(fsync && throwaway ? AS_IN_PRODUCTION : []),
  ];
  const command = foreignCommand(
    postgresProgram(postgres, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: base,
      signal: FAST_SHUTDOWN,
      lingerMs: throwaway ? 0 : 3_000,
      ...(throwaway ? { removeDir: base } : {}),
      ...(postgres.user ? { uid: postgres.user.uid, gid: postgres.user.gid } : {}),
    },
  );
  return {
    pidFile: join(data, 'postmaster.pid'),
    url: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`,
    spec: {
      name: 'postgres',
      quiet: true,
      command,
      prepare: () => stopLeftBehind(data),
      ready: () => isReady(data, port),
    },
  };
}

/** Removes the data of a cluster, inside or outside `home`. */
export async function removePostgres(home) {
  for (const place of [home, outsidePlace(home)]) {
    await stopLeftBehind(join(place, 'data'));
    rmSync(place, { recursive: true, force: true });
  }
}

const outsidePlace = (home) => join('/var/tmp', outsideName(home));
const outsideName = (home) => `kurir-data-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;

/** Returns `home`, or a folder outside if the user of the database cannot reach `home` (a checkout below /root). */
function placeFor(home, user) {
  mkdirSync(home, { recursive: true });
  if (!user) return home;
  const place = canReach(user, join(home, '..')) ? home : sharedFolder(outsideName(home));
  chownSync(place, user.uid, user.gid);
  chmodSync(place, 0o700);
  return place;
}

function passwordIn(base, user) {
  const file = join(base, 'password');
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(18).toString('hex'), { mode: 0o600 });
    if (user) chownSync(file, user.uid, user.gid);
  }
  return readFileSync(file, 'utf8');
}

async function createCluster({ postgres, base, data, sync }) {
  const version = join(data, 'PG_VERSION');
  if (existsSync(version)) return checkVersion(readFileSync(version, 'utf8').trim(), postgres);
  // Another name first, because an interrupted initdb must not look like a cluster.
  const half = join(base, 'data.new');
  rmSync(half, { recursive: true, force: true });
  const args = ['-D', half, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${join(base, 'password')}`];
  args.push('-E', 'UTF8', '--locale=C', ...(sync ? [] : ['--no-sync']));
  const ids = postgres.user ? { uid: postgres.user.uid, gid: postgres.user.gid } : {};
  await run(postgresProgram(postgres, 'initdb'), args, { cwd: base, ...ids });
  renameSync(half, data);
}

async function checkVersion(found, postgres) {
  const { stdout } = await run(postgresProgram(postgres, 'postgres'), ['--version']);
  const ours = /(\d+)\./.exec(stdout)?.[1];
  if (found === ours) return;
  throw new Error(
    `The data was made by Postgres ${found}, this is ${ours}. "npm start -- --reset" begins with empty data.`,
  );
}

/** The server writes its state into the last line of its pid file, in any language and with any log settings. */
function isReady(data, port) {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return lines[3] === String(port) && lines[7]?.trim() === 'ready';
  } catch {
    return false; // not written yet
  }
}

/**
 * Ends a server that outlived its owner. The pid file is the lock of Postgres, so remove it only if its owner is dead.
 */
async function stopLeftBehind(data) {
  const pidFile = join(data, 'postmaster.pid');
  const pid = pidIn(pidFile);
  if (pid === null) return;
  if (!commandOf(pid)?.includes(process.platform === 'win32' ? 'postgres' : data)) {
    rmSync(pidFile, { force: true }); // after a reboot another program may have this pid
    return;
  }
  process.kill(pid, FAST_SHUTDOWN);
  await until(() => !existsSync(pidFile), { what: `Shutdown of an earlier Postgres (pid ${pid})`, timeoutMs: 20_000 });
}
