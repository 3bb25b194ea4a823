// The launcher with small programs in place of the real ones, for its test: a supervised service and two programs.
// argv[2] is the state folder. Each program writes its pid to `<name>.pid` there.
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignCommand, nodeCommand } from '../../local/commands.mjs';
import { AlreadyRunning } from '../../state/running.mjs';
import { openScreen } from '../../local/screen.mjs';
import { launch } from '../launch.mjs';
import { parseFlags, UsageError } from '../options.mjs';
import { isReady } from '../stages.mjs';

const stateDir = process.argv[2];
const program = fileURLToPath(new URL('program-fixture.mjs', import.meta.url));
const pidFile = (name) => join(stateDir, `${name}.pid`);

/** Takes the port of a program after it was chosen, once. A server like another start's program then has it. */
let toTake = process.env.FIXTURE_TAKES;
function takePort(ports) {
  if (toTake)
    createServer((_request, response) => response.end('ok'))
      .listen(ports[toTake], '127.0.0.1')
      .unref();
  toTake = undefined;
}

const programsOf = ({ ports, baseUrl, settings, env, instance }) => [
  {
    name: 'worker',
    command: nodeCommand(program, [pidFile('worker'), String(ports.worker), instance], settings),
    env,
    ready: () => isReady(`http://127.0.0.1:${ports.worker}`, instance),
  },
  {
    name: 'api',
    command: nodeCommand(program, [pidFile('api'), String(ports.api), instance], settings),
    env,
    ready: () => isReady(baseUrl, instance),
  },
];

const stages = {
  preferredPorts: JSON.parse(process.env.FIXTURE_PORTS),
  services: {
    database: () => ({
      settings: { DATABASE_URL: 'postgresql://nowhere' },
      spec: {
        name: 'database',
        command: foreignCommand(process.execPath, [program, pidFile('database'), '0'], { lingerMs: 200 }),
        ready: () => existsSync(pidFile('database')),
      },
    }),
  },
  build: async () => {},
  migrate: async () => 'nothing to do',
  relay: {
    spec: ({ ports, env, instance }) => ({
      name: 'whatsapp',
      command: nodeCommand(program, [pidFile('whatsapp'), String(ports.relay), instance], {}),
      env,
      ready: () => isReady(`http://127.0.0.1:${ports.relay}`, instance),
    }),
    settings: async ({ ports }) => ({
      settings: { KURIR_WHATSAPP_URL: `ws://127.0.0.1:${ports.relay}/ws/chat` },
      relayUrl: `http://127.0.0.1:${ports.relay}`,
      recipients: ['49155'],
    }),
  },
  programs: (context) => {
    takePort(context.ports);
    return programsOf(context);
  },
  demo: async () => ({
    account_id: 'acc_1',
    api_key: 'key_1',
    api_secret: null,
    device_id: 'dev_1',
    phones: ['62811'],
  }),
};

writeFileSync(pidFile('launcher'), String(process.pid));
try {
  process.exit(
    await launch({
      stateDir,
      env: process.env,
      flags: parseFlags(process.argv.slice(3)),
      screen: openScreen(),
      stages,
    }),
  );
} catch (error) {
  console.error(error instanceof AlreadyRunning || error instanceof UsageError ? error.message : error);
  process.exit(1);
}
