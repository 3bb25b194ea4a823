// Finds a Redis server without asking anybody. It tries the PATH, then the packages of Debian or Ubuntu, then a Redis
// that is written in JavaScript. It unpacks the packages into a folder, so it needs no root and installs nothing.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpackedFromDebian, which } from '../downloads/debian-packages.mjs';

const run = promisify(execFile);
const OLDEST = [6, 2];
const DEBIAN_PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/** Returns `{kind: 'server', command, env?, label}` or `{kind: 'javascript', command, label}`. */
export async function findRedis(cacheDir) {
  const found = (await onPath()) ?? (await fromDebian(cacheDir)) ?? inJavaScript();
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

async function isRecent(command) {
  const { stdout } = await run(command, ['--version']).catch(() => ({ stdout: '' }));
  const [, major, minor] = /v=(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

async function fromDebian(cacheDir) {
  const folder = join(cacheDir, 'redis');
  const command = await unpackedFromDebian(folder, { packages: DEBIAN_PACKAGES, program: 'usr/bin/redis-server' });
  if (command === null) return null;
  const libraries = readdirSync(join(folder, 'usr/lib')).map((name) => join(folder, 'usr/lib', name));
  return { kind: 'server', command, env: { LD_LIBRARY_PATH: libraries.join(':') }, label: 'Debian package' };
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
