// Runs vitest as its own process and reports the results.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeCommand } from '../local/commands.mjs';
import { temporaryFolder } from '../servers/throwaway.mjs';

/** Resolves with the exit code of vitest and the summary of the reporter. */
async function vitest(args, { settings, signal, output }) {
  const entry = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
  const command = nodeCommand(entry, ['run', ...args]);
  const folder = temporaryFolder('test-summary');
  const summaryFile = join(folder, 'summary.json');
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    stdio: ['pipe', output, 'inherit'],
    env: { ...process.env, ...settings, KURIR_TEST_SUMMARY: summaryFile },
  });
  signal.addEventListener('abort', () => child.stdin.end());
  const code = await new Promise((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 1)));
  const summary = readSummary(summaryFile);
  rmSync(folder, { recursive: true, force: true });
  return { code, summary };
}

function readSummary(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: [], skipped: [] }; // vitest ended before it reported anything
  }
}

function tellSkipped(screen, skipped, byName) {
  if (skipped.length === 0) return;
  if (byName) {
    screen.say(`${skipped.length} skipped, most of them by -t`);
    return;
  }
  screen.say(`${skipped.length} skipped:`);
  for (const { name, reason } of skipped) screen.say(`  ${name} (${reason ?? 'no reason given'})`);
}

function tellFailed(screen, failed) {
  if (failed.length === 0) return;
  screen.say(`${failed.length} failed:`);
  for (const { name, lines } of failed) {
    screen.say(`  ${name}`);
    for (const line of lines) screen.say(`      ${line}`);
  }
}

/**
 * Resolves with `{passed, failed}` for the last line. Prints the names of skipped and failed tests. `output` is where
 * vitest's standard output goes.
 */
export async function runVitest(args, { settings = {}, signal, screen, output = 'inherit' }) {
  const { code, summary } = await vitest(args, { settings, signal, output });
  tellSkipped(
    screen,
    summary.skipped,
    args.some((arg) => /^(-t|--testNamePattern)/.test(arg)),
  );
  tellFailed(screen, summary.failed);
  // If vitest failed for another reason, the last line must not look like success.
  return { passed: summary.passed, failed: summary.failed.length || (code === 0 ? 0 : 1) };
}

/** Prints the error of a run that could not start or continue. Returns its count. */
export function tellFailure(screen, error) {
  for (const line of error.lines ?? []) screen.say(`  ${line}`);
  screen.fail(error.message);
  return { passed: 0, failed: 1 };
}

/** Prints the count as the last line. */
export function endWith({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
