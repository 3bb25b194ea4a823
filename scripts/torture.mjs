// `npm run torture [-- arguments]`: attacks the running product, and reports whether anything was lost or happened
// twice.
// docs/reliability.md explains the figures. Progress goes to standard error, figures to standard output.
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { PRODUCT, turbo } from './local/turbo.mjs';
import { parseArguments, UsageError, USAGE } from './torture/arguments.mjs';
import { runOnce } from './torture/run-once.mjs';

const screen = openScreen(process.stderr);
const abort = new AbortController();

const RED = 1;
const BROKEN_OFF = 3;

/** Whether the run is good: the product survives, and a mutant does not. */
function judge({ mutant }, code) {
  if (mutant === null) return code === 0;
  return code === RED;
}

function outcomeOfMutant(code) {
  if (code === RED) return 'seen';
  return code === BROKEN_OFF ? `not attacked (exit ${code})` : `not seen (exit ${code})`;
}

/** A mutant that survives an attack is a failure. */
const exitCodeOf = ({ mutant }, code) => (mutant !== null && code !== BROKEN_OFF ? RED : code);

function tell(run, code, good) {
  const outcome = run.mutant === null ? (good ? 'clean' : `exit ${code}`) : outcomeOfMutant(code);
  screen.say(`${screen.paint(good ? 'green' : 'red', good ? '✔' : '✘')} ${run.name}: ${outcome}`);
}

async function main(args) {
  const options = parseArguments(args);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  onStopRequest(() => abort.abort());
  if (options.build)
    await screen.step('build', () => turbo(['build'], { only: [...PRODUCT, 'e2e'], signal: abort.signal }));
  let failed = 0;
  for (const run of options.runs) {
    if (abort.signal.aborted) break;
    const code = await runOnce(run, { screen, signal: abort.signal });
    if (abort.signal.aborted) break;
    const good = judge(run, code);
    if (options.runs.length > 1 || run.mutant !== null) tell(run, code, good);
    if (!good) failed = Math.max(failed, exitCodeOf(run, code));
  }
  return abort.signal.aborted ? 130 : failed;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  for (const line of error.lines ?? []) screen.say(`  ${line}`);
  screen.fail(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message);
  process.exit(error instanceof UsageError ? 2 : 3);
}
