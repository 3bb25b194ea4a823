// `npm run bench [-- arguments]`: runs the measurements of bench/ on its own Postgres and Redis, with fsync on.
// Progress goes to standard error, so that `--json` leaves only the figures on standard output.
import { spawn } from 'node:child_process';
import { parseArguments, USAGE, UsageError } from './bench/arguments.mjs';
import { nodeCommand } from './local/commands.mjs';
import { findNode, NODE_VERSIONS } from './downloads/node-versions.mjs';
import { fromRoot } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway } from './servers/throwaway.mjs';
import { PRODUCT } from './local/turbo.mjs';

const screen = openScreen(process.stderr);
const abort = new AbortController();

/** The Node that runs the benchmark also runs all measured programs. */
async function measure(file, settings, args) {
  const command = nodeCommand(fromRoot('bench/dist/main.js'), args);
  const env = { ...process.env, ...settings, NODE_ENV: 'production' };
  const child = spawn(file, command.args, { cwd: command.cwd, stdio: ['pipe', 'inherit', 'inherit'], env });
  abort.signal.addEventListener('abort', () => child.stdin.end());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function nodeFor(major) {
  if (major === 'this') return process.execPath;
  let file;
  try {
    await screen.step('node', async () => {
      file = await findNode(major);
      return NODE_VERSIONS[major];
    });
  } catch (error) {
    throw new Error(`${error.message} Or measure on the Node that you have: --node this.`, { cause: error });
  }
  return file;
}

async function measureOn({ node, postgres, mainArgs }) {
  const file = await nodeFor(node);
  const only = [...PRODUCT, 'bench'];
  const throwaway = openThrowaway({ screen, signal: abort.signal, only, fsync: true, postgresMajor: postgres });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    return await measure(file, await throwaway.settings, mainArgs);
  } finally {
    await throwaway.stop();
  }
}

async function main(args) {
  try {
    const asked = parseArguments(args);
    if (!asked.help) return await measureOn(asked);
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    for (const line of error.lines ?? []) screen.say(`  ${line}`);
    screen.fail(error.message);
    return 1;
  }
}

process.exit(await main(process.argv.slice(2)));
