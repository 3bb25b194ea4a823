// The servers for tests and benchmarks: a temporary Postgres and Redis, or those of DATABASE_URL and REDIS_URL. It also
// builds everything and migrates one template database. Each user of it copies the template.
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATE } from './migration.mjs';
import { openProgramGroups } from '../local/program-groups.mjs';
import { nodeCommand } from '../local/commands.mjs';
import { defaultStateDir, fromRoot, makeStateDir } from '../local/paths.mjs';
import { preparePostgres } from './postgres.mjs';
import { prepareRedis } from './redis.mjs';
import { runTask } from '../local/task.mjs';
import { PRODUCT, turbo } from '../local/turbo.mjs';

export const temporaryFolder = (name) => mkdtempSync(join(tmpdir(), `kurir-${name}-`));

/**
 * Returns `{settings, stop, kill}`. `settings` resolves to the `KURIR_TEST_*` settings of packages/testing. `only`
 * limits the build. `fsync` makes commits as slow as in production, for measurements. `postgresMajor` asks for another
 * Postgres than that of the dependencies.
 */
export function openThrowaway({ screen, signal, only = PRODUCT, fsync = false, postgresMajor = null }) {
  const stateDir = makeStateDir(defaultStateDir);
  const groups = openProgramGroups({ stateDir: join(stateDir, 'test'), screen, verbose: false });
  const start = groups.group();

  /** Returns the URL of the maintenance database and the URL of the template. */
  async function postgres() {
    const name = `kurir_test_template_${randomBytes(4).toString('hex')}`;
    const own = process.env.DATABASE_URL;
    if (own) return { admin: own, template: Object.assign(new URL(own), { pathname: `/${name}` }).href };
    const home = temporaryFolder('test-postgres');
    const { spec, url } = await preparePostgres({ home, throwaway: true, fsync, major: postgresMajor });
    await start(spec);
    return { admin: url('postgres'), template: url(name) };
  }

  /** Returns the URL, and the program with which tests start further servers. */
  async function redis() {
    if (process.env.REDIS_URL) return { url: process.env.REDIS_URL };
    const home = temporaryFolder('test-redis');
    const prepared = await prepareRedis({ home, cacheDir: join(stateDir, 'cache'), throwaway: true });
    await start(prepared.spec);
    if (prepared.warning) screen.warn(prepared.warning);
    return prepared;
  }

  async function prepare() {
    const results = {};
    const step = (name, work) =>
      screen.step(name, async () => {
        results[name] = await work();
      });
    await Promise.all([
      step('postgres', postgres),
      step('redis', redis),
      step('build', () => turbo(['build'], { only, signal })),
    ]);
    const { admin, template } = results.postgres;
    const migrate = nodeCommand(fromRoot(MIGRATE.entry), MIGRATE.args, { DATABASE_URL: template });
    await step('migrate', () => runTask('migrate', migrate, { signal }));
    const { url, server } = results.redis;
    return {
      KURIR_TEST_ADMIN_URL: admin,
      KURIR_TEST_TEMPLATE_URL: template,
      KURIR_TEST_REDIS_URL: url,
      ...(server ? { KURIR_TEST_REDIS_SERVER: JSON.stringify(server) } : {}),
    };
  }

  const settings = prepare();

  /** Drops the template in a Postgres of DATABASE_URL. Our own server takes it along when it ends. */
  async function stop() {
    const made = await settings.catch(() => null);
    if (made && process.env.DATABASE_URL) {
      const { dropDatabase } = await import('../../packages/testing/dist/index.js');
      await dropDatabase(made.KURIR_TEST_ADMIN_URL, made.KURIR_TEST_TEMPLATE_URL);
    }
    await groups.stop();
  }

  return { settings, stop, kill: () => groups.kill() };
}
