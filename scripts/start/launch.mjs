// `npm start`: brings the stages up in order, keeps the programs running, and stops everything at the end.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateDir } from '../local/paths.mjs';
import { removePostgres } from '../servers/postgres.mjs';
import { takeStateDir } from '../state/running.mjs';
import { localSecrets } from '../state/secrets.mjs';
import { onStopRequest } from '../local/stop-signals.mjs';
import { writeDevFile } from './dev-file.mjs';
import { openProgramGroups } from '../local/program-groups.mjs';
import { chooseAddresses, refuseForeignDatabase } from './options.mjs';
import { SECRET_LOST, welcome } from './welcome.mjs';

/** If other programs take the chosen ports again and again, the start gives up. */
const MOST_STARTS = 3;

/**
 * Runs until it is asked to stop. Resolves with the exit code. A second run in the same state folder is refused. After
 * a crash of the launcher it takes over what the crashed one left behind.
 */
export async function launch({ stateDir, env, flags, screen, stages }) {
  const withRelay = flags['whatsapp-relay'] === true;
  if (withRelay) refuseForeignDatabase(env);
  makeStateDir(stateDir);
  const claim = await takeStateDir(stateDir);
  if (flags.reset) await reset(stateDir, env);
  const abort = new AbortController();
  const opened = [];
  const openGroups = () => {
    opened.push(openProgramGroups({ stateDir, screen, verbose: flags.verbose }));
    return opened.at(-1);
  };
  const stopRequested = new Promise((resolve) => {
    onStopRequest(
      (reason) => {
        screen.say(screen.paint('dim', `\n  Stopping (${reason}) …`));
        abort.abort();
        resolve();
      },
      () => {
        for (const groups of opened) groups.kill();
      },
    );
  });
  try {
    const arriving = bringUp({ stateDir, env, screen, stages, openGroups, claim, withRelay, signal: abort.signal });
    await Promise.race([arriving, stopRequested]);
    arriving.catch(() => {}); // it was interrupted
    await stopRequested;
    return 0;
  } catch (error) {
    if (abort.signal.aborted) return 0;
    report(error, screen);
    return 1;
  } finally {
    abort.abort();
    for (const groups of opened.toReversed()) await groups.stop();
    claim.release();
  }
}

async function bringUp({ stateDir, env, screen, stages, openGroups, claim, withRelay, signal }) {
  const since = performance.now();
  // A wrong PORT is said before the long build.
  await chooseAddresses(env, stages.preferredPorts);
  // A local run is always a development run, whatever the shell sets.
  const instance = randomBytes(8).toString('hex');
  const context = { stateDir, withRelay, instance, env: { ...env, NODE_ENV: 'development' }, signal };

  const secrets = localSecrets(stateDir, env);
  const [connections] = await Promise.all([
    startServices({ context, screen, groups: openGroups(), services: stages.services }),
    screen.step('build', () => stages.build(context)),
  ]);
  await screen.step('migrate', () => stages.migrate({ ...context, settings: connections }));
  const relay = await startPrograms({ context, connections, secrets, screen, stages, openGroups, claim });
  let demo;
  await screen.step('demo', async () => {
    demo = await stages.demo(context);
    return 'account, key and linked device';
  });
  signal.throwIfAborted();
  const { baseUrl, publicUrl, settings } = context;
  const dev = writeDevFile(stateDir, { baseUrl, publicUrl, simulatorUrl: settings.KURIR_SIMULATOR_URL, relay, demo });
  screen.say(welcome(dev, { paint: screen.paint, seconds: ((performance.now() - since) / 1000).toFixed(1) }));
  if (!dev.api_secret) screen.warn(SECRET_LOST);
}

/** Starts the programs on free ports, and again on others if a program of somebody else takes a port first. */
async function startPrograms(given) {
  for (let starts = 1; ; starts++) {
    const groups = given.openGroups();
    try {
      return await startProgramsOnce({ ...given, groups });
    } catch (error) {
      if (!error.portTaken || starts === MOST_STARTS) throw error;
      given.screen.warn('Another program has taken a port meanwhile. The programs start again on other ports.');
      await groups.stop();
    }
  }
}

/** Chooses the addresses and adds them to the context. Returns what is known about the pretend WhatsApp, or null. */
async function startProgramsOnce({ context, connections, secrets, screen, stages, groups, claim }) {
  const { env, withRelay } = context;
  // The build takes long enough for a second `npm start` to take the ports.
  const addresses = await chooseAddresses(env, stages.preferredPorts);
  if (addresses.remark) screen.warn(addresses.remark);
  const KURIR_SIMULATOR_URL = `http://127.0.0.1:${addresses.ports.simulator}`;
  // On the user's own machine a proxy for tests may have a private address, and a webhook leads to a program beside it.
  const { KURIR_PROXY_PRIVATE_ADDRESSES = 'allow', KURIR_WEBHOOK_PRIVATE_ADDRESSES = 'loopback' } = env;
  const addressRules = { KURIR_PROXY_PRIVATE_ADDRESSES, KURIR_WEBHOOK_PRIVATE_ADDRESSES };
  const settings = { ...connections, ...secrets, KURIR_SIMULATOR_URL, ...addressRules };
  const publicUrl = env.KURIR_PUBLIC_URL || addresses.pagesUrl;
  Object.assign(context, addresses, { settings, publicUrl });
  claim.describe({ base_url: addresses.baseUrl, settings: { ...connections, KURIR_SIMULATOR_URL } });

  const relay = withRelay ? await startRelay({ context, screen, groups, stage: stages.relay }) : null;
  for (const spec of stages.programs(context)) await screen.step(spec.name, () => groups.group()(spec));
  return relay;
}

/** Starts the pretend WhatsApp. The worker gets the address and the key that it reports. */
async function startRelay({ context, screen, groups, stage }) {
  let relay;
  await screen.step('whatsapp', async () => {
    await groups.group()(stage.spec(context));
    const { settings, ...found } = await stage.settings(context);
    // Two installations share one Redis, and neither may take the jobs of the other.
    Object.assign(context.settings, settings, { KURIR_QUEUE_PREFIX: 'kurir-relay' });
    relay = found;
    return 'a pretend one';
  });
  return relay;
}

/**
 * Starts all services at once. They also stop together, after the programs that use them. Resolves with the connection
 * strings.
 */
async function startServices({ context, screen, groups, services }) {
  const start = groups.group();
  const found = await Promise.all(
    Object.entries(services).map(async ([name, prepare]) => {
      let service;
      await screen.step(name, async () => {
        service = await prepare(context);
        if (service.spec) await start(service.spec);
        return service.remark;
      });
      if (service.warning) screen.warn(service.warning);
      return service.settings;
    }),
  );
  return Object.assign({}, ...found);
}

/** Removes the local data. With DATABASE_URL the keys stay, because the data in that database needs them. */
async function reset(stateDir, env) {
  await removePostgres(join(stateDir, 'postgres'));
  const rest = [
    'redis',
    'simulator',
    'whatsapp-relay',
    'logs',
    'dev.json',
    'demo-keys.json',
    ...(env.DATABASE_URL ? [] : ['secrets.json']),
  ];
  for (const name of rest) rmSync(join(stateDir, name), { recursive: true, force: true });
}

function report(error, screen) {
  for (const line of error.lines ?? []) screen.say(`  ${screen.paint('dim', line)}`);
  screen.fail(error.message);
  if (error.logPath) screen.say(`  The whole log: ${error.logPath}`);
}
