// `npm test [-- vitest's arguments]`: makes what the tests run on (local/throwaway.mjs), runs vitest over the whole
// workspace, and takes everything away again. The last line counts.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from './local/chromium.mjs';
import { nodeCommand } from './local/commands.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway, temporaryFolder } from './local/throwaway.mjs';
import { PRODUCT } from './local/turbo.mjs';

const screen = openScreen();
const abort = new AbortController();

/** Resolves with vitest's exit code and what the reporter wrote down. */
async function vitest(args, settings) {
  const entry = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
  const command = nodeCommand(entry, ['run', ...args]);
  const folder = temporaryFolder('test-summary');
  const summaryFile = join(folder, 'summary.json');
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...settings, KURIR_TEST_SUMMARY: summaryFile },
  });
  abort.signal.addEventListener('abort', () => child.stdin.end());
  const code = await new Promise((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 1)));
  const summary = readSummary(summaryFile);
  rmSync(folder, { recursive: true, force: true });
  return { code, summary };
}

function readSummary(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: [] }; // vitest ended before it had anything to report
  }
}

const FILTER = /^[^-]/;

/** Tests in a browser are few: who asks for others by name does not wait for one to be installed. */
async function browserSettings(args) {
  const filters = args.filter((arg) => FILTER.test(arg));
  if (filters.length > 0 && !filters.some((filter) => /dashboard|e2e/.test(filter))) return {};
  let found = { path: null };
  await screen.step('browser', async () => {
    found = await findChromium();
  });
  if (found.path === null) screen.warn(`The dashboard is not tested in a browser: ${found.why}.`);
  return found.path === null ? { KURIR_TEST_NO_CHROMIUM: found.why } : { KURIR_TEST_CHROMIUM: found.path };
}

function tellSkipped(skipped, byName) {
  if (skipped.length === 0) return;
  if (byName) {
    screen.say(`${skipped.length} skipped, most of them by -t`);
    return;
  }
  screen.say(`${skipped.length} skipped:`);
  for (const { name, reason } of skipped) screen.say(`  ${name} (${reason ?? 'no reason given'})`);
}

async function main(args) {
  const throwaway = openThrowaway({ screen, signal: abort.signal, only: [...PRODUCT, 'e2e'] });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    const [settings, browser] = await Promise.all([throwaway.settings, browserSettings(args)]);
    const { code, summary } = await vitest(args, { ...settings, ...browser });
    tellSkipped(
      summary.skipped,
      args.some((arg) => /^(-t|--testNamePattern)/.test(arg)),
    );
    // Whatever else made vitest fail, the last line must not look like success.
    return { passed: summary.passed, failed: summary.failed || (code === 0 ? 0 : 1) };
  } catch (error) {
    for (const line of error.lines ?? []) screen.say(`  ${line}`);
    screen.fail(error.message);
    return { passed: 0, failed: 1 };
  } finally {
    await throwaway.stop();
  }
}

const { passed, failed } = await main(process.argv.slice(2));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
