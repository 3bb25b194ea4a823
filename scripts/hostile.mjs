// `npm run hostile [-- flags]`: starts the servers for the tests, runs the attacks of e2e/hostile for longer than
// `npm test` does, and prints the figures. Progress goes to standard error if the figures are JSON.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArguments, UsageError, USAGE } from './hostile/arguments.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { PRODUCT } from './local/turbo.mjs';
import { openThrowaway, temporaryFolder } from './servers/throwaway.mjs';
import { runVitest, tellFailure } from './test/run-vitest.mjs';

const screen = openScreen(process.stderr);
const abort = new AbortController();

/** The attacks that do not last longer need this time. */
const OTHERS_MS = 300_000;
const STANDARD_ERROR = 2;

const readFigures = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}'; // no attack was measured
  }
};

/** One file after the other: they would disturb each other's figures. */
const vitestArguments = (minutes) => [
  'e2e/hostile',
  '--no-file-parallelism',
  `--testTimeout=${minutes * 60_000 + OTHERS_MS}`,
];

async function attack({ minutes, seed, json }) {
  const throwaway = openThrowaway({ screen, signal: abort.signal, only: [...PRODUCT, 'e2e'] });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  const folder = temporaryFolder('hostile');
  const report = join(folder, 'figures.json');
  const run = { KURIR_HOSTILE_MINUTES: String(minutes), KURIR_HOSTILE_SEED: seed, KURIR_HOSTILE_REPORT: report };
  try {
    const settings = { ...(await throwaway.settings), ...run };
    const output = json ? STANDARD_ERROR : 'inherit';
    const { failed } = await runVitest(vitestArguments(minutes), { settings, signal: abort.signal, screen, output });
    if (json) process.stdout.write(`${readFigures(report)}\n`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    tellFailure(screen, error);
    return 1;
  } finally {
    await throwaway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(args) {
  const options = parseArguments(args);
  if (!options.help) return attack(options);
  process.stdout.write(USAGE);
  return 0;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  screen.fail(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message);
  process.exit(error instanceof UsageError ? 2 : 1);
}
