// A Redis of our own on a free port. It never evicts a key, because BullMQ needs all of its keys.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { foreignCommand, nodeCommand } from '../local/commands.mjs';
import { freePort } from '../local/ports.mjs';
import { commandOf, pidIn } from '../local/processes.mjs';
import { findRedis } from './redis-binaries.mjs';
import { until } from '../local/until.mjs';

/**
 * Returns how to start a Redis with its files below `home`: `{spec, url, label, server?, pidFile?, warning?}`, with a `spec` for
 * `Program`. `server` is the program of a real Redis. A temporary Redis writes nothing to disk.
 */
export async function prepareRedis({ home, cacheDir, throwaway = false }) {
  const redis = await findRedis(cacheDir);
  const port = await freePort();
  return redis.kind === 'server'
    ? realRedis({ redis, home, port, throwaway })
    : { ...javascriptRedis({ redis, port }), label: redis.label };
}

function realRedis({ redis, home, port, throwaway }) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const password = randomBytes(18).toString('hex');
  const pidFile = join(home, 'redis.pid');
  const configFile = join(home, 'redis.conf');
  // A file instead of arguments, because other users of this machine can read the arguments of a process.
  writeFileSync(configFile, configText({ port, home, password, pidFile, throwaway }), { mode: 0o600 });
  const options = {
    cwd: home,
    env: redis.env,
    lingerMs: throwaway ? 0 : 3_000,
    ...(throwaway ? { removeDir: home } : {}),
  };
  return {
    label: redis.label,
    server: { command: redis.command, env: redis.env ?? {} },
    pidFile,
    url: `redis://:${password}@127.0.0.1:${port}`,
    spec: {
      name: 'redis',
      quiet: true,
      command: foreignCommand(redis.command, [configFile], options),
      prepare: () => stopLeftBehind(pidFile),
      ready: () => pongs(port, password),
    },
  };
}

function configText({ port, home, password, pidFile, throwaway }) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${home.replaceAll('\\', '/')}"`,
    `pidfile "${pidFile.replaceAll('\\', '/')}"`,
    'maxmemory-policy noeviction',
    'save ""',
    `appendonly ${throwaway ? 'no' : 'yes'}`,
    '',
  ].join('\n');
}

function javascriptRedis({ redis, port }) {
  return {
    url: `redis://127.0.0.1:${port}`,
    warning:
      'Redis is js-redis-server, which is slow and forgets everything when it stops. Install redis-server for real work.',
    spec: { name: 'redis', quiet: true, command: nodeCommand(redis.command, [String(port)]), ready: () => pongs(port) },
  };
}

/** Whether a Redis on this port takes commands. A Redis that still reads its files refuses them with LOADING. */
function pongs(port, password) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    let said = '';
    socket.setTimeout(1_000, () => done(false));
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
    socket.on('connect', () => socket.write(`${password ? `AUTH ${password}\r\n` : ''}PING\r\n`));
    socket.on('data', (chunk) => {
      said += chunk;
      if (said.includes('+PONG')) done(true);
      else if (said.includes('\n-') || said.startsWith('-')) done(false);
    });
  });
}

/** Two servers on one append-only file would destroy it. */
async function stopLeftBehind(pidFile) {
  const pid = pidIn(pidFile);
  if (pid === null || !existsSync(pidFile)) return;
  const alive = () => /redis|valkey/.test(commandOf(pid) ?? '');
  if (!alive()) return;
  process.kill(pid, 'SIGTERM');
  await until(() => !alive(), { what: `Shutdown of an earlier Redis (pid ${pid})` });
}
