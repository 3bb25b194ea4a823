// The stages of `npm start` with the real programs. `launch.mjs` puts them in order. Tests replace them.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCommand } from '../local/commands.mjs';
import { fromRoot } from '../local/paths.mjs';
import { preparePostgres } from '../servers/postgres.mjs';
import { MIGRATE } from '../servers/migration.mjs';
import { prepareRedis } from '../servers/redis.mjs';
import { runTask } from '../local/task.mjs';
import { PRODUCT, turbo } from '../local/turbo.mjs';
import { DEMO, PREFERRED_PORTS, programs, relayProgram } from './programs.mjs';

const NEEDS_NOTHING = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_OPTIONS', 'TZ'];

export const realStages = {
  preferredPorts: PREFERRED_PORTS,
  services: { postgres: postgresService, redis: redisService },
  build: ({ signal }) => turbo(['build'], { only: PRODUCT, signal }),
  migrate,
  relay: { spec: relaySpec, settings: relaySettings },
  programs: programSpecs,
  demo,
};

async function postgresService({ stateDir, env, withRelay }) {
  if (env.DATABASE_URL) return { settings: {}, remark: 'yours, from DATABASE_URL' };
  const { spec, url } = await preparePostgres({ home: join(stateDir, 'postgres') });
  return { spec, settings: { DATABASE_URL: url(withRelay ? 'kurir_relay' : 'kurir') } };
}

async function redisService({ stateDir, env }) {
  if (env.REDIS_URL) return { settings: {}, remark: 'yours, from REDIS_URL' };
  const redis = await prepareRedis({ home: join(stateDir, 'redis'), cacheDir: join(stateDir, 'cache') });
  return { spec: redis.spec, settings: { REDIS_URL: redis.url }, remark: redis.label, warning: redis.warning };
}

async function migrate({ env, settings, signal }) {
  const command = nodeCommand(built(MIGRATE.entry), MIGRATE.args, settings);
  const { stdout } = await runTask('migrate', command, { env, signal });
  return stdout.trim().split('\n').at(-1).slice(0, 70);
}

function programSpecs(context) {
  mkdirSync(join(context.stateDir, 'simulator'), { recursive: true, mode: 0o700 });
  return programs(context).map((program) => specOf(program, context));
}

const specOf = ({ name, entry, args, env, ready, nodeFlags }, context) => ({
  name,
  command: nodeCommand(built(entry), args, env ?? {}, nodeFlags),
  env: env ? context.env : bareEnv(context.env),
  ready: () => isReady(ready, context.instance),
});

function relaySpec(context) {
  mkdirSync(join(context.stateDir, 'whatsapp-relay'), { recursive: true, mode: 0o700 });
  return specOf(relayProgram(context), context);
}

/** Returns the settings of the worker for the pretend WhatsApp, which must be running. */
async function relaySettings(context) {
  const { url, rootPublicKey, recipients } = await (await fetch(relayProgram(context).ready)).json();
  const settings = {
    KURIR_WHATSAPP_URL: url,
    KURIR_WHATSAPP_ROOT_KEY: rootPublicKey,
    // The pretend WhatsApp accepts any version and has no page that names one.
    KURIR_WHATSAPP_VERSION_FETCH: 'off',
  };
  return { settings, relayUrl: relayProgram(context).base, recipients };
}

async function demo({ env, settings, signal }) {
  const { stdout } = await runTask('demo', nodeCommand(built(DEMO.entry), DEMO.args, settings), { env, signal });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

const bareEnv = (env) => Object.fromEntries(NEEDS_NOTHING.filter((name) => env[name]).map((name) => [name, env[name]]));

/** Whether the program of this start answers at `url`, and is ready. Another start may have taken its port. */
export async function isReady(url, instance) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok && answer.headers.get('x-kurir-instance') === instance;
  } catch {
    return false; // not listening yet
  }
}

function built(entry) {
  const path = fromRoot(entry);
  if (!existsSync(path)) throw new Error(`${entry} is not there, although the build succeeded.`);
  return path;
}
