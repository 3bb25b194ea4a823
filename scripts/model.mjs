// `npm run model [-- flags]`: tries random lives of messages with two workers that stop between any two steps. Its own
// Postgres has a clock that the model controls. Several processes share the runs, each with its own seed.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { nodeCommand } from './local/commands.mjs';
import { fromRoot } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway } from './servers/throwaway.mjs';

const USAGE = `Usage: npm run model [-- flags]

  --runs N         how many random lives to try (default 10000)
  --seed N         the seed; the same seed tries the same lives (default: a random one, which is printed)
  --processes N    how many processes share the runs (default: two for each core)
  --mutant NAME    break the product on purpose; the model must detect it, and then exits with 0
  --path TEXT      replay one failing case; give the --seed and --replay that were printed with it
  --replay TEXT    see --path
  --json           print {seed, runs, seconds, runs_per_second, mutant, failure} and nothing else on standard output
  --help           print this text

Exits with 1 when a promise breaks, and prints a short case that breaks it.
`;

const FLAGS = {
  runs: { type: 'string' },
  seed: { type: 'string' },
  processes: { type: 'string' },
  mutant: { type: 'string' },
  path: { type: 'string' },
  replay: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
};

const SOURCES = 'apps/worker/test/model';
const PROGRAM = 'apps/worker/node_modules/.kurir-model';

const screen = openScreen(process.stderr);
const abort = new AbortController();

const isWhole = (text, least, most) => /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;

function findFault({ runs, seed, processes, path, replay }) {
  if (runs !== undefined && !isWhole(runs, 1, 100_000_000)) return '--runs must be a whole number from 1.';
  if (seed !== undefined && !isWhole(seed, 0, 2 ** 31 - 1)) return '--seed must be a whole number below 2147483648.';
  if (processes !== undefined && !isWhole(processes, 1, 64)) return '--processes must be a whole number from 1 to 64.';
  if ((path === undefined) !== (replay === undefined)) return '--path and --replay belong together.';
  return path !== undefined && seed === undefined ? '--path needs the --seed that was printed with it.' : null;
}

/** Returns the arguments, or an exit code. */
function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options: FLAGS });
    const fault = findFault(values);
    if (fault !== null) throw new TypeError(fault);
    if (!values.help) return { values };
    process.stdout.write(USAGE);
    return { code: 0 };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return { code: 2 };
  }
}

/** Bundles the sources as programs. Imported packages are not bundled. */
async function bundle() {
  mkdirSync(fromRoot(PROGRAM), { recursive: true });
  const built = await rolldown({
    input: { main: fromRoot(SOURCES, 'main.ts'), mutants: fromRoot(SOURCES, 'mutants.ts') },
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    platform: 'node',
  });
  await built.write({ dir: fromRoot(PROGRAM), format: 'esm', entryFileNames: '[name].mjs', sourcemap: true });
  await built.close();
}

/** Returns the number of runs and the seed of each process. A replay is one process with the printed seed. */
function divide({ runs, seed, processes, path, replay, mutant }) {
  if (path !== undefined) return [{ runs: 1, seed, path, replayPath: replay, mutant }];
  const count = Math.min(processes, runs);
  return Array.from({ length: count }, (_, i) => ({
    runs: Math.floor(runs / count) + (i < runs % count ? 1 : 0),
    seed: (seed + i * 7919) % 2 ** 31,
    mutant,
  }));
}

/** Runs one process to its end: `{runs, failure}`. */
async function explore(settings, exploration, onRuns) {
  const command = nodeCommand(fromRoot(PROGRAM, 'main.mjs'), [JSON.stringify(exploration)]);
  const env = { ...process.env, ...settings, NODE_ENV: 'test', NODE_OPTIONS: '--enable-source-maps' };
  const child = spawn(command.file, command.args, { cwd: command.cwd, stdio: ['pipe', 'pipe', 'inherit'], env });
  abort.signal.addEventListener('abort', () => child.stdin.end());
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let last = { runs: 0 };
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line);
    onRuns(told.runs - last.runs);
    last = told;
  }
  const code = await ended;
  if (code !== 0) throw new Error(`a process of the model ended with ${code}`);
  return last;
}

const tellEveryMs = 10_000;

function createProgress(total) {
  const startedAt = performance.now();
  let done = 0;
  let toldAt = startedAt;
  return {
    add(count) {
      done += count;
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      const perSecond = done / ((toldAt - startedAt) / 1000);
      const left = Math.ceil(Math.max(0, total - done) / perSecond);
      screen.say(`${done} of ${total} runs, ${perSecond.toFixed(0)}/s, ${left} s to go`);
    },
    done: () => done,
    seconds: () => (performance.now() - startedAt) / 1000,
  };
}

/** The first process that finds a failure ends the others. */
async function exploreAll(settings, asked) {
  const progress = createProgress(asked.runs);
  let failure = null;
  let stopped = false;
  await Promise.all(
    divide(asked).map((part) =>
      explore(settings, part, (count) => progress.add(count)).then(
        (end) => {
          if (end.failure) {
            failure ??= end.failure;
            stopped = true;
            abort.abort();
          }
        },
        (error) => {
          if (!stopped) throw error;
        },
      ),
    ),
  );
  return { failure, runs: progress.done(), seconds: progress.seconds() };
}

function tellFailure({ seed, path, replayPath, polite, commands, reason }, { mutant }) {
  screen.say(reason);
  screen.say(polite ? 'a device with a pace, typing and a limit of new contacts' : 'a device without a pace');
  for (const [i, command] of commands.entries()) screen.say(`  ${i + 1}. ${command}`);
  const flags = `--seed ${seed} --path '${path}' --replay '${replayPath}'`;
  screen.say(`Again: npm run model -- ${flags}${mutant ? ` --mutant ${mutant}` : ''}`);
}

function report({ seed, mutant, json }, { failure, runs, seconds }) {
  const perSecond = runs / seconds;
  if (failure) tellFailure(failure, { mutant });
  const words = `${runs} runs from seed ${seed} in ${seconds.toFixed(0)} s (${perSecond.toFixed(0)}/s): `;
  const found = failure ? 'a promise broke' : 'no promise broke';
  if (!json) return process.stdout.write(`${words}${found}${mutant ? ` (mutant ${mutant})` : ''}\n`);
  const figures = { seconds: Number(seconds.toFixed(1)), runs_per_second: Number(perSecond.toFixed(1)) };
  return process.stdout.write(
    `${JSON.stringify({ seed, runs, ...figures, mutant: mutant ?? null, failure: failure ?? null })}\n`,
  );
}

function askedFor(values) {
  return {
    runs: Number(values.runs ?? 10_000),
    seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
    processes: Number(values.processes ?? 2 * availableParallelism()),
    path: values.path,
    replay: values.replay,
    mutant: values.mutant,
    json: values.json === true,
  };
}

async function refuseUnknown(mutant) {
  if (mutant === undefined) return;
  const { mutants } = await import(fromRoot(PROGRAM, 'mutants.mjs'));
  if (!(mutant in mutants))
    throw new Error(`There is no mutant ${mutant}; there are ${Object.keys(mutants).join(', ')}.`);
}

async function main(args) {
  const { values, code } = readArguments(args);
  if (values === undefined) return code;
  const asked = askedFor(values);
  const throwaway = openThrowaway({ screen, signal: abort.signal });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    const settings = await throwaway.settings;
    await screen.step('model', bundle);
    await refuseUnknown(asked.mutant);
    screen.say(`${asked.runs} runs from seed ${asked.seed}`);
    const result = await exploreAll(settings, asked);
    report(asked, result);
    return (result.failure === null) === (asked.mutant === undefined) ? 0 : 1;
  } catch (error) {
    for (const line of error.lines ?? []) screen.say(`  ${line}`);
    screen.fail(error.message);
    return 1;
  } finally {
    await throwaway.stop();
  }
}

process.exit(await main(process.argv.slice(2)));
