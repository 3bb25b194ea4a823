// Finds a Redis server without asking anybody. It tries the PATH, then the packages of Debian or Ubuntu, then a Redis
// that is written in JavaScript. It unpacks the packages into a folder, so it needs no root and installs nothing.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OLDEST = [6, 2];
const DEBIAN_PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/** Returns `{kind: 'server', command, env?, label}` or `{kind: 'javascript', command, label}`. */
export async function findRedis(cacheDir) {
  const found = (await onPath()) ?? (await unpackedFromDebian(cacheDir)) ?? inJavaScript();
  if (found) return found;
  throw new Error(
    'No Redis was found. Install one ("apt install redis-server", "brew install redis"), ' +
      'or start one ("docker run -p 6379:6379 redis:7") and set REDIS_URL=redis://127.0.0.1:6379.',
  );
}

async function onPath() {
  for (const name of ['redis-server', 'valkey-server']) {
    const command = which(name);
    if (command && (await isRecent(command))) return { kind: 'server', command, label: command };
  }
  return null;
}

function which(name) {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}

async function isRecent(command) {
  const { stdout } = await run(command, ['--version']).catch(() => ({ stdout: '' }));
  const [, major, minor] = /v=(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

async function unpackedFromDebian(cacheDir) {
  const folder = join(cacheDir, 'redis');
  const command = join(folder, 'usr/bin/redis-server');
  if (!existsSync(command)) {
    if (!which('apt-get') || !which('dpkg')) return null;
    const done = await unpack(folder).catch(() => false); // no network or no such package, so try the next source
    if (!done || !existsSync(command)) return null;
  }
  const libraries = readdirSync(join(folder, 'usr/lib')).map((name) => join(folder, 'usr/lib', name));
  return { kind: 'server', command, env: { LD_LIBRARY_PATH: libraries.join(':') }, label: 'Debian package' };
}

/** Runs apt with its own folders, so that it changes nothing of the system and needs no rights. */
async function unpack(folder) {
  const work = `${folder}.${process.pid}`;
  const apt = join(work, 'apt');
  for (const part of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, part), { recursive: true });
  const settings = [
    `Dir::State=${apt}/state`,
    `Dir::Cache=${apt}/cache`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=',
    'Acquire::http::Timeout=15',
    'Acquire::Retries=1',
  ].flatMap((setting) => ['-o', setting]);
  try {
    await run('apt-get', ['-qq', ...settings, 'update'], { cwd: work });
    await run('apt-get', ['-qq', ...settings, 'download', ...DEBIAN_PACKAGES], { cwd: work });
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, 'unpacked'], { cwd: work });
    }
    if (!existsSync(folder)) renameSync(join(work, 'unpacked'), folder);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function inJavaScript() {
  try {
    createRequire(import.meta.url).resolve('js-redis-server');
  } catch {
    return null; // not part of this installation
  }
  return {
    kind: 'javascript',
    command: fileURLToPath(new URL('js-redis.mjs', import.meta.url)),
    label: 'js-redis-server',
  };
}
