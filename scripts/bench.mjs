// `npm run bench [-- arguments]`: the measurements of bench/ on a Postgres and a Redis of their own, with fsync on.
// What goes on here is told on standard error, so that `--json` leaves only the figures on standard output.
import { spawn } from 'node:child_process';
import { nodeCommand } from './local/commands.mjs';
import { fromRoot } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway } from './local/throwaway.mjs';
import { PRODUCT } from './local/turbo.mjs';

const screen = openScreen(process.stderr);
const abort = new AbortController();

async function measure(settings) {
  const command = nodeCommand(fromRoot('bench/dist/main.js'), process.argv.slice(2));
  const env = { ...process.env, ...settings, NODE_ENV: 'production' };
  const child = spawn(command.file, command.args, { cwd: command.cwd, stdio: ['pipe', 'inherit', 'inherit'], env });
  abort.signal.addEventListener('abort', () => child.stdin.end());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function main() {
  const throwaway = openThrowaway({ screen, signal: abort.signal, only: [...PRODUCT, 'bench'], fsync: true });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    return await measure(await throwaway.settings);
  } catch (error) {
    for (const line of error.lines ?? []) screen.say(`  ${line}`);
    screen.fail(error.message);
    return 1;
  } finally {
    await throwaway.stop();
  }
}

process.exit(await main());
