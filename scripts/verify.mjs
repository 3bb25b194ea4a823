// `npm run verify [-- step ...] [-- --json]`: checks everything that needs no servers. All steps run, even if one
// fails. The problems come at the end.
import { parseArgs } from 'node:util';
import { openScreen } from './local/screen.mjs';
import { STEPS } from './verify/steps.mjs';

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const unknown = positionals.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are: ${STEPS.map((step) => step.name).join(', ')}`);
  process.exit(1);
}

const silent = { write: () => true };
const screen = openScreen(values.json ? silent : process.stdout);

/** Resolves with `{name, ok, seconds, lines}`. Never rejects. */
async function runStep({ name, run }) {
  const since = performance.now();
  let lines = [];
  try {
    await screen.step(name, run);
  } catch (error) {
    lines = error.lines ?? [error.stack];
  }
  return { name, ok: lines.length === 0, seconds: Number(((performance.now() - since) / 1000).toFixed(1)), lines };
}

/** A step starts when the step in its `after` has ended, whether it failed or not. */
async function runAll(steps) {
  const started = new Map();
  for (const step of steps) {
    const before = started.get(step.after) ?? Promise.resolve();
    started.set(
      step.name,
      before.then(() => runStep(step)),
    );
  }
  return Promise.all(started.values());
}

function tell(results) {
  for (const { name, lines } of results.filter((result) => !result.ok)) {
    screen.say(`\n${screen.paint('bold', name)}`);
    for (const line of lines) screen.say(`  ${line}`);
  }
  const failed = results.filter((result) => !result.ok).map((result) => result.name);
  screen.say(failed.length === 0 ? '\nverified' : `\nnot verified: ${failed.join(', ')}`);
}

const wanted = STEPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = await runAll(wanted);
const ok = results.every((result) => result.ok);
if (values.json) console.log(JSON.stringify({ ok, steps: results }, null, 2));
else tell(results);
process.exit(ok ? 0 : 1);
