// `npm run bench [-- arguments]`: the measurements of bench/ on a Postgres and a Redis of their own, with fsync on.
// What goes on here is told on standard error, so that `--json` leaves only the figures on standard output.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { nodeCommand } from './local/commands.mjs';
import { fromRoot } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway } from './local/throwaway.mjs';
import { PRODUCT } from './local/turbo.mjs';

const MEASURES = ['accept', 'bulk', 'send'];
/** Not part of everything: each takes minutes of its own. */
const STUDIES = ['sessions', 'whatsapp', 'device', 'otp', 'growth', 'soak', 'scale', 'start'];
const NETWORKS = ['whatsapp', 'simulator'];
/** All requests of a run are signed before it begins and stand in memory. */
const MOST = { runs: 99, seconds: 30, devices: 5_000, sends: 5_000_000, rate: 20_000, minutes: 600 };

const USAGE = `Usage: npm run bench [-- measure… study… flags]

Measures Kurir against bare Express and bare BullMQ in the same run; bench/README.md says what is compared.

  measure          ${MEASURES.join(', ')}; all of them when none is named
  study            ${STUDIES.join(', ')}: figures of their own
  --runs N         runs of each side, in turn, up to 99 (default 3)
  --seconds N      for how long one side is loaded in one run, up to 30 (default 3)
  --devices N      how many devices a study links, up to 5000 (default: 200 of whatsapp, 1000 of the simulator)
  --sends N        messages that the study whatsapp sends after its runs (default 20000), that the study growth
                   stores (default 1000000, up to 5000000), or that stand behind the study soak (default none)
  --rate N         otps a second in the study soak (default: 60 % of what goes through), up to 20000
  --minutes N      for how long the study soak goes on, up to 600 (default 30)
  --network NAME   whatsapp (default) or simulator, for a study
  --json           print [{name, ours, base, ratio, unit, runs}], and of studies [{study, name, value, unit}], and
                   nothing else on standard output
  --cpu-prof DIR   leave CPU profiles of the measured programs below DIR
  --help           this text
`;

const FLAGS = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  devices: { type: 'string' },
  sends: { type: 'string' },
  minutes: { type: 'string' },
  rate: { type: 'string' },
  network: { type: 'string' },
  'cpu-prof': { type: 'string' },
};

const screen = openScreen(process.stderr);
const abort = new AbortController();

const isWhole = (text, most) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most;

/** What is wrong with the arguments, or null. */
function findFault({ values, positionals }) {
  const unknown = positionals.find((name) => ![...MEASURES, ...STUDIES].includes(name));
  if (unknown !== undefined) return `There is no measure ${unknown}.`;
  if (!NETWORKS.includes(values.network ?? NETWORKS[0])) return `--network must be ${NETWORKS.join(' or ')}.`;
  const wrong = Object.keys(MOST).find((name) => values[name] !== undefined && !isWhole(values[name], MOST[name]));
  return wrong === undefined ? null : `--${wrong} must be a whole number from 1 to ${MOST[wrong]}.`;
}

/** The exit code when there is nothing to measure; null to go on. */
function checkArguments(args) {
  try {
    const parsed = parseArgs({ args, options: FLAGS, allowPositionals: true });
    const fault = findFault(parsed);
    if (fault !== null) throw new TypeError(fault);
    if (!parsed.values.help) return null;
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

async function measure(settings, args) {
  const command = nodeCommand(fromRoot('bench/dist/main.js'), args);
  const env = { ...process.env, ...settings, NODE_ENV: 'production' };
  const child = spawn(command.file, command.args, { cwd: command.cwd, stdio: ['pipe', 'inherit', 'inherit'], env });
  abort.signal.addEventListener('abort', () => child.stdin.end());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function main(args) {
  const refused = checkArguments(args);
  if (refused !== null) return refused;
  const throwaway = openThrowaway({ screen, signal: abort.signal, only: [...PRODUCT, 'bench'], fsync: true });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    return await measure(await throwaway.settings, args);
  } catch (error) {
    for (const line of error.lines ?? []) screen.say(`  ${line}`);
    screen.fail(error.message);
    return 1;
  } finally {
    await throwaway.stop();
  }
}

process.exit(await main(process.argv.slice(2)));
