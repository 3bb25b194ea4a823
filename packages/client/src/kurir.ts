/** The program of the `kurir` command. */
import { readFileSync } from 'node:fs';
import { runKurir } from './cli/run-kurir.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `kurir list | head` closes the pipe early. That is no fault.
  if (error.code !== 'EPIPE') throw error;
});

/** The version in package.json. The path holds for `src/kurir.ts` and for its bundle `dist/kurir.js`. */
function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

process.exitCode = await runKurir(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  version: readVersion(),
  onInterrupt(stop) {
    // A second Ctrl+C ends the process at once.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  },
});
