// One run: its own Postgres and Redis, and the program in e2e/torture that attacks them. That program starts and kills
// the two servers. This file only prepares their commands.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeCommand } from '../local/commands.mjs';
import { writeJson } from '../state/json-file.mjs';
import { defaultStateDir, fromRoot, makeStateDir } from '../local/paths.mjs';
import { preparePostgres, removePostgres } from '../servers/postgres.mjs';
import { prepareRedis } from '../servers/redis.mjs';
import { withOwnDisk } from './own-disk.mjs';

const BROKEN_OFF = 3;

/** A run that restores needs the client programs of Postgres, which the package does not have. */
async function programsFor(kind) {
  if (kind !== 'restore') return null;
  const { findPostgresPrograms, whyNoPostgresPrograms } = await import('../../packages/testing/dist/index.js');
  const programs = findPostgresPrograms();
  if (programs === null) throw new Error(whyNoPostgresPrograms);
  return programs;
}

async function prepareServers(directory, { kind: kindOfRun, redis: kind = 'single' }) {
  const programs = await programsFor(kindOfRun);
  const postgres = await preparePostgres({ home: join(directory, 'postgres'), programs });
  const redisHome = join(directory, 'redis');
  const redis = await prepareRedis({ home: redisHome, cacheDir: join(defaultStateDir, 'cache') });
  if (redis.pidFile === undefined)
    throw new Error('The attack needs a real Redis: one written in JavaScript forgets everything when it is killed.');
  for (const { spec } of [postgres, redis]) await spec.prepare(); // they may still run from an interrupted run
  const command = ({ spec }) => ({ ...spec.command, env: { ...outside(), ...spec.command.env } });
  return {
    postgres: { command: command(postgres), url: postgres.url('postgres'), pidFile: postgres.pidFile, programs },
    redis: { command: command(redis), url: redis.url, pidFile: redis.pidFile, directory: redisHome, kind },
    // With this program the attack starts the servers of a Cluster, or those that Sentinel watches.
    server: redis.server,
  };
}

/** The variables that every program needs. The two servers get no other setting of this shell. */
function outside() {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function flagsOf({ kind, directory, seed, faults, mutant, json, from = null }) {
  const flags = [kind, '--directory', directory, '--seed', seed, '--faults', String(faults)];
  if (mutant !== null) flags.push('--mutant', mutant);
  if (from !== null) flags.push('--from', from);
  if (json) flags.push('--json');
  return flags;
}

/** Resolves with the exit code. Removes the folder if the run found nothing, and keeps it otherwise. */
export async function runOnce(run, { screen, signal }) {
  const { directory, kind, seed, faults, mutant, pooler = false, redis = 'single', from = null, keep } = run;
  makeStateDir(defaultStateDir);
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  writeJson(join(directory, 'run.json'), { kind, seed, faults, mutant, pooler, redis, from });
  rmSync(join(directory, 'report.json'), { force: true }); // from an earlier end of the same run
  const { server, ...servers } = await prepareServers(directory, run);
  const { disk, command } = await withOwnDisk(
    dirname(dirname(servers.postgres.pidFile)),
    nodeCommand(fromRoot('e2e/dist/main.js'), flagsOf(run)),
  );
  if (disk === null) screen.warn('The disk of Postgres cannot run full here: that needs Linux, root and loop devices.');
  Object.assign(servers.postgres, { disk, pooler });
  const { file, args, cwd } = command;
  const env = {
    ...process.env,
    TORTURE_SERVERS: JSON.stringify(servers),
    KURIR_TEST_REDIS_SERVER: JSON.stringify(server),
  };
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'inherit', 'inherit'] });
  const stop = () => child.stdin.end();
  signal.addEventListener('abort', stop);
  const exitCode = await new Promise((resolve) => child.once('exit', resolve));
  signal.removeEventListener('abort', stop);
  // A crashed program ends with 1 too, but writes no report.
  const code = existsSync(join(directory, 'report.json')) ? (exitCode ?? BROKEN_OFF) : BROKEN_OFF;
  if (keep || signal.aborted || code === BROKEN_OFF || (mutant === null && code !== 0))
    screen.say(`kept: ${directory}`);
  else await forget(directory, servers);
  return code;
}

async function forget(directory, servers) {
  await removePostgres(join(directory, 'postgres'));
  rmSync(`${dirname(dirname(servers.postgres.pidFile))}.img`, { force: true });
  rmSync(directory, { recursive: true, force: true });
}
